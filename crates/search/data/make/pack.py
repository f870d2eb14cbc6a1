"""pack.py TABLE.npy OUT.bin: the layout that data/README.md describes."""
import numpy as np,json,sys,struct
v=json.load(open('vocab.json')); V=v['voc']; M=np.load(sys.argv[1]); N=np.linalg.norm(M,axis=1); M=M/(N[:,None]+1e-9); N=N/np.median(N)
q=np.clip(np.round(M*127/np.abs(M).max(1,keepdims=True)),-127,127).astype(np.int8)
nb=np.clip(np.round(N*100),1,255).astype(np.uint8)
al=[w for r,w in sorted((r,w) for w,r in zip(V,v['rank']) if r>=0)][:20000]; kn=set(al)
k=np.array([w in kn for w in V]); order=sorted(range(len(V)),key=lambda i:V[i].encode())
blob='\n'.join(V[i] for i in order).encode()
open(sys.argv[2],'wb').write(struct.pack('<III',len(V),q.shape[1],len(blob))+blob+q[order].tobytes()+np.packbits(k[order],bitorder='little').tobytes()+nb[order].tobytes())
