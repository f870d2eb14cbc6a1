"""The teacher's vectors of the words, of 20,000 API sentences and of the phrases."""
import json,random,re,numpy as np,time
from teacher import Enc
from texts import first_sentence,split_ident
random.seed(1)
by={}
for l in open('corpus.jsonl'):
    o=json.loads(l); by.setdefault(o['doc'].split('/')[0],[]).append(o)
S=[];seen=set()
for d,os_ in sorted(by.items()):
    random.shuffle(os_)
    for o in os_[:120]:
        c=[]
        if o['summary']: c.append(o['summary'][:120])
        f=first_sentence(o['desc'])[0][:160]
        if f and f.lower()!=o['summary'].lower(): c.append(f)
        if not c: c=[' '.join(re.findall('[a-z]+',split_ident(o['opid']).lower()))]
        for x in c:
            x=re.sub(r'\s+',' ',x).strip()
            if 8<len(x) and x.lower() not in seen and x.isascii(): seen.add(x.lower()); S.append(x)
random.shuffle(S); print(len(S)); S=S[:20000]
P=[x.strip() for l in open('../phrases.txt') if '\t' in l for x in l.split('\t',1)[1].split(';')]
P=[x for x in P if len(x)>8 and x.isascii()]; random.shuffle(P); S+=P[:14000]; print('phrases',len(P))
json.dump(S,open('sent.json','w'))
E=Enc('mini'); t=time.time(); X=[]
V=json.load(open('vocab.json'))['voc']; np.save('voc_mini.npy',E.encode(V,bs=128).astype(np.float16)); print('voc',time.time()-t,flush=True)
for a in range(0,len(S),2000):
    X.append(E.encode(S[a:a+2000],bs=32,maxtok=32).astype(np.float16)); np.save('sent_mini.npy',np.concatenate(X)); print(a,time.time()-t,flush=True)
