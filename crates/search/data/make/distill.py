"""distill.py DIMENSIONS OUT STEPS"""
# static word table distilled from all-MiniLM-L6-v2: words + API sentences + WordNet glosses/examples
import json,re,sys,numpy as np,jax,jax.numpy as jnp,time
D=int(sys.argv[1]) if len(sys.argv)>1 else 128
PW=float(sys.argv[4]) if len(sys.argv)>4 else 0.0
TE=sys.argv[5] if len(sys.argv)>5 else 'mini'
out=sys.argv[2] if len(sys.argv)>2 else 'tab_mini.npy'
V=json.load(open('vocab.json')); voc=V['voc']; idx={w:i for i,w in enumerate(voc)}
W=np.load(f'voc_{TE}.npy').astype(np.float32)
S=json.load(open('sent.json')); X=np.load(f'sent_{TE}.npy').astype(np.float32)
S2=json.load(open('sent_wn.json')); X2=np.load(f'wn_{TE}.npy').astype(np.float32)
from texts import split_ident
def ids(s): return [idx[w] for w in re.findall(r"[a-z]+",split_ident(s).lower()) if w in idx][:24]
T=[ids(s) for s in S[:len(X)]]+[ids(s) for s in S2[:len(X2)]]; Y=np.concatenate([X,X2[:len(S2)]])
ok=[i for i,t in enumerate(T) if len(t)>=1]; T=[T[i] for i in ok]; Y=Y[ok]
A=np.concatenate([W,Y]); m=A.mean(0); U,s,Vt=np.linalg.svd((A-m)[np.random.RandomState(0).permutation(len(A))[:30000]],full_matrices=False); Pm=Vt[:D].T
Wp=(W-m)@Pm; Yp=(Y-m)@Pm; Yp/=np.linalg.norm(Yp,axis=1,keepdims=True)
Wn=Wp/np.linalg.norm(Wp,axis=1,keepdims=True)
L=24; I=np.full((len(T),L),len(voc),np.int32)
for i,t in enumerate(T): I[i,:len(t)]=t
cnt=np.bincount(I[I<len(voc)].ravel(),minlength=len(voc)); freq=cnt/cnt.sum()
sif=1e-3/(1e-3+freq)
E0=np.concatenate([Wn*sif[:,None],np.zeros((1,D))]).astype(np.float32)
par={'E':jnp.asarray(E0)}
E0j=jnp.asarray(E0)
def stu(E,I):
    mask=(I<len(voc))[...,None]; x=(E[I]*mask).sum(1); return x/(jnp.linalg.norm(x,axis=1,keepdims=True)+1e-6)
def loss(par,I,Y,wi,pa,pb):
    s=stu(par['E'],I); c=1-(s*Y).sum(1).mean()
    St=Y@Y.T/.07; Ss=s@s.T/.07; eye=jnp.eye(len(Y))*-1e9
    pt=jax.nn.softmax(St+eye,-1); kl=-(pt*jax.nn.log_softmax(Ss+eye,-1)).sum(-1).mean()
    e=par['E'][wi]; w=e/(jnp.linalg.norm(e,axis=1,keepdims=True)+1e-6); cw=1-(w*Wnj[wi]).sum(1).mean()
    a=stu(par['E'],pa); b=stu(par['E'],pb); S=a@b.T/.07; di=jnp.arange(len(pa))
    ct=-(jax.nn.log_softmax(S,-1)[di,di].mean()+jax.nn.log_softmax(S.T,-1)[di,di].mean())/2
    return c+0.3*kl+0.5*cw+PW*ct
Wnj=jnp.asarray(Wn)
g=jax.jit(jax.value_and_grad(loss))
mo={k:jnp.zeros_like(v) for k,v in par.items()}; ve={k:jnp.zeros_like(v) for k,v in par.items()}
@jax.jit
def upd(par,mo,ve,gr,t,lr):
    mo={k:.9*mo[k]+.1*gr[k] for k in par}; ve={k:.999*ve[k]+.001*gr[k]**2 for k in par}
    par={k:par[k]-lr*(mo[k]/(1-.9**t))/(jnp.sqrt(ve[k]/(1-.999**t))+1e-8) for k in par}; return par,mo,ve
# contrastive pairs (summary | operationId words) <-> first description sentence, corpus without GitHub/Stripe
from texts import first_sentence
PA=[];PB=[];seen=set(); per={}
for l in open('corpus.jsonl'):
    o=json.loads(l); d=o['doc'].split('/')[0]
    f=first_sentence(o['desc'])[0]; s_=o['summary'] or o['opid']
    if not f or not s_ or (s_,f) in seen or per.get(d,0)>=400: continue
    a,b=ids(s_),ids(f)
    if len(a)<2 or len(b)<3 or a==b: continue
    seen.add((s_,f)); per[d]=per.get(d,0)+1; PA.append(a);PB.append(b)
def pad(T):
    I=np.full((len(T),L),len(voc),np.int32)
    for i,t in enumerate(T): I[i,:len(t)]=t
    return I
PA,PB=pad(PA),pad(PB); print('pairs',len(PA))
rs=np.random.RandomState(0); t0=time.time(); steps=int(sys.argv[3]) if len(sys.argv)>3 else 1500; B=256
for t in range(1,steps+1):
    b=rs.randint(0,len(I),B); wi=rs.randint(0,len(voc),512)
    lr=0.003*(1-t/steps)+1e-5
    pb_=rs.randint(0,len(PA),B); l,gr=g(par,I[b],Yp[b],wi,PA[pb_],PB[pb_]); par,mo,ve=upd(par,mo,ve,gr,t,lr)
    if t%250==0: print(t,float(l),time.time()-t0,flush=True)
np.save(out,np.asarray(par['E'])[:-1].astype(np.float32))
