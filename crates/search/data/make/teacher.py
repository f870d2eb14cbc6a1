"""Sentences as all-MiniLM-L6-v2 sees them."""
import json,numpy as np,jax,jax.numpy as jnp,math
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from functools import partial
class Enc:
    def __init__(s,kind):
        s.kind=kind
        d='pk/mini' if kind=='mini' else 'pk/mpnet/all-mpnet-base-v2'
        w=load_file(d+'/model.safetensors'); s.w={k.replace('bert.','').replace('mpnet.',''):jnp.asarray(v.astype(np.float32)) for k,v in w.items() if v.dtype.kind=='f'}
        s.cfg=json.load(open(d+'/config.json')); s.tk=Tokenizer.from_file(d+'/tokenizer.json'); s.tk.no_padding(); s.tk.enable_truncation(128)
        s.pad=1 if kind=='mpnet' else 0
    @partial(jax.jit,static_argnums=0)
    def fwd(s,ids,mask):
        w=s.w; H=s.cfg['num_attention_heads']; B,T=ids.shape; eps=s.cfg.get('layer_norm_eps',1e-12)
        def ln(x,p): 
            m=x.mean(-1,keepdims=True); v=((x-m)**2).mean(-1,keepdims=True)
            return (x-m)/jnp.sqrt(v+eps)*w[p+'.weight']+w[p+'.bias']
        lin=lambda x,p: x@w[p+'.weight'].T+w[p+'.bias']
        x=w['embeddings.word_embeddings.weight'][ids]
        if s.kind=='mini':
            x=x+w['embeddings.position_embeddings.weight'][jnp.arange(T)]+w['embeddings.token_type_embeddings.weight'][0]
        else: x=x+w['embeddings.position_embeddings.weight'][jnp.arange(T)+2]
        x=ln(x,'embeddings.LayerNorm')
        D=x.shape[-1]; hd=D//H
        bias=(1-mask)[:,None,None,:]*-1e9
        if s.kind=='mpnet':
            rp=jnp.arange(T)[None,:]-jnp.arange(T)[:,None]  # memory-context
            n=-rp; nb=16; ret=(n<0)*nb; n=jnp.abs(n); me=nb//2
            vl=me+(jnp.log(jnp.maximum(n,1)/me)/math.log(128/me)*(nb-me)).astype(int); vl=jnp.minimum(vl,nb-1)
            b=ret+jnp.where(n<me,n,vl)
            bias=bias+w['encoder.relative_attention_bias.weight'][b].transpose(2,0,1)[None]
        for l in range(s.cfg['num_hidden_layers']):
            p=f'encoder.layer.{l}.'
            if s.kind=='mini': qn,kn,vn,on,lnn=p+'attention.self.query',p+'attention.self.key',p+'attention.self.value',p+'attention.output.dense',p+'attention.output.LayerNorm'
            else: qn,kn,vn,on,lnn=p+'attention.attn.q',p+'attention.attn.k',p+'attention.attn.v',p+'attention.attn.o',p+'attention.LayerNorm'
            sp=lambda y:y.reshape(B,T,H,hd).transpose(0,2,1,3)
            q,k,v=sp(lin(x,qn)),sp(lin(x,kn)),sp(lin(x,vn))
            a=jax.nn.softmax(q@k.transpose(0,1,3,2)/math.sqrt(hd)+bias,-1)
            o=(a@v).transpose(0,2,1,3).reshape(B,T,D)
            x=ln(x+lin(o,on),lnn)
            h=jax.nn.gelu(lin(x,p+'intermediate.dense'),approximate=False)
            x=ln(x+lin(h,p+'output.dense'),p+'output.LayerNorm')
        e=(x*mask[...,None]).sum(1)/mask.sum(1,keepdims=True)
        return e/jnp.linalg.norm(e,axis=-1,keepdims=True)
    def encode(s,texts,bs=64,maxtok=128):
        enc=[e.ids[:maxtok-1]+e.ids[-1:] if len(e.ids)>maxtok else e.ids for e in s.tk.encode_batch(texts)]
        order=sorted(range(len(texts)),key=lambda i:len(enc[i])); out=None
        for a in range(0,len(order),bs):
            idx=order[a:a+bs]; L=max(len(enc[i]) for i in idx)
            L=next(x for x in (6,8,12,16,24,32,48,64,96,128,256) if x>=L)
            ids=np.full((bs,L),s.pad,np.int32); m=np.zeros((bs,L),np.float32); m[:,0]=1
            for j,i in enumerate(idx): ids[j,:len(enc[i])]=enc[i]; m[j,:len(enc[i])]=1
            e=np.asarray(s.fwd(ids,m))[:len(idx)]
            if out is None: out=np.zeros((len(texts),e.shape[1]),np.float32)
            out[idx]=e
        return out
