"""Documents to operations, texts to words and stems, as crates/search/src/text.rs does it."""
import html,json,re,unicodedata

METHODS=("get","post","put","patch","delete","head","options","trace")
def clean(s):
    s=re.sub(r"<[^>]+>"," ",s or "")
    s=re.sub(r"\]\([^)]*\)","] ",s)
    s=re.sub(r"https?://\S+"," ",s)
    return html.unescape(s)
def deref(doc,o,depth=0):
    n=0
    while isinstance(o,dict) and '$ref' in o and n<5:
        r=o['$ref']
        if not isinstance(r,str) or not r.startswith('#/'): return {}
        x=doc
        for p in r[2:].split('/'):
            p=p.replace('~1','/').replace('~0','~')
            if not isinstance(x,dict): return {}
            x=x.get(p,{})
        o=x; n+=1
    return o if isinstance(o,dict) else {}
def props(doc,sch,depth=0,out=None):
    if out is None: out={}
    sch=deref(doc,sch)
    for k,v in (sch.get('properties') or {}).items():
        v=deref(doc,v)
        if k not in out:
            enum=v.get('enum') or deref(doc,v.get('items') or {}).get('enum') or []
            out[k]=(clean(v.get('description') or ''),[str(e) for e in enum[:12]] if isinstance(enum,list) else [])
    if depth<3:
        for key in ('allOf','anyOf','oneOf'):
            for s in (sch.get(key) or []): props(doc,s,depth+1,out)
        if sch.get('type')=='array' and 'items' in sch: props(doc,sch['items'],depth+1,out)
    return out
def load_ops(doc):
    ops=[]
    for path,item in (doc.get('paths') or {}).items():
        if not isinstance(item,dict): continue
        common=item.get('parameters') or []
        for m,o in item.items():
            if m not in METHODS or not isinstance(o,dict): continue
            params=[]; body={}
            for p in list(common)+list(o.get('parameters') or []):
                p=deref(doc,p)
                if not p.get('name') : continue
                if p.get('in')=='body': body.update(props(doc,p.get('schema') or {})); continue
                sc=deref(doc,p.get('schema') or {})
                en=sc.get('enum') or p.get('enum') or []
                params.append((str(p['name']),p.get('in') or '',clean(p.get('description') or ''),[str(e) for e in en[:12]] if isinstance(en,list) else [],bool(p.get('required'))))
            rb=deref(doc,o.get('requestBody') or {})
            for ct,c in (rb.get('content') or {}).items():
                body.update(props(doc,(c or {}).get('schema') or {})); break
            tags=[str(t) for t in (o.get('tags') or [])]
            resp=o.get('responses') or {}
            ops.append(dict(method=m.upper(),path=path,opid=str(o.get('operationId') or ''),summary=str(o.get('summary') or ''),
                desc=clean(str(o.get('description') or '')),tags=tags,params=params,body=[(k,)+v for k,v in body.items()],
                deprecated=bool(o.get('deprecated')),ext=(o.get('externalDocs') or {}).get('url','') if isinstance(o.get('externalDocs'),dict) else '',rb=bool(rb)))
    return ops
def load_doc(fn): return load_ops(json.load(open(fn,encoding='utf-8')))

STOP=set("""a an the of in on at to for from by with and or but so as is are was were be been being am do does did doing done have has had having
i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this that these those there here
can could will would shall should may might must let lets please want wants wanted need needs needed would'd like how what which who whom whose when where why
if then than too very just also only not no nor any some such own same into onto about over under again once more most other each few both all every
up out off down s t d ll m re ve don doesn isn aren wasn won didn hasn haven cannot
go going get gets got getting give given say says tell know see seen keep keeps make makes made thing things stuff something someone somebody anyone anybody everyone everybody nobody
now today tonight yesterday tomorrow soon already still yet ever never always
""".split())
def split_ident(s):
    s=re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", s)
    s=re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", s)
    return s
IRR={'people':'person','children':'child','indices':'index','indexes':'index','statuses':'status','addresses':'address','data':'data','media':'media','aliases':'alias','news':'news','keys':'key','ran':'run','sent':'send','built':'build','bought':'buy','sold':'sell','paid':'pay','lost':'lose','found':'find','written':'write','wrote':'write','taken':'take','took':'take','chosen':'choose','chose':'choose','given':'give','gave':'give','kept':'keep','held':'hold','shown':'show','made':'make','left':'leave','went':'go','gone':'go','began':'begin','begun':'begin','stolen':'steal','broken':'break','hidden':'hide','drew':'draw','spent':'spend','thrown':'throw','repo':'repository','repos':'repository','org':'organization','orgs':'organization','organisation':'organization','organisations':'organization','config':'configuration','configs':'configuration','env':'environment','envs':'environment','auth':'authentication','info':'information','docs':'document','doc':'document','pr':'pullrequest','prs':'pullrequest','licence':'license','licences':'license','cancelled':'cancel','canceled':'cancel','cancelling':'cancel','cancellation':'cancel','colour':'color','colours':'color','favourite':'favorite','favourites':'favorite','labelled':'label','labelling':'label','enrol':'enroll','catalogue':'catalog','cheque':'check','behaviour':'behavior','analyse':'analyze','analysed':'analyze','param':'parameter','params':'parameter','prefs':'preference','pref':'preference','perms':'permission','perm':'permission','admins':'administrator','admin':'administrator','app':'application','apps':'application','msg':'message','msgs':'message','pwd':'password','img':'image','imgs':'image','stats':'statistic','stat':'statistic','num':'number','acct':'account','addr':'address','tx':'transaction','txn':'transaction','txns':'transaction','dir':'directory','dirs':'directory','del':'delete','desc':'description','ref':'reference','refs':'reference','db':'database','vm':'virtualmachine','vms':'virtualmachine'}
def stem(w):
    if w in IRR: w=IRR[w]
    n=len(w)
    if n<=3: return w
    w=re.sub(r"is(e|es|ed|ing|ation|ations)$",r"iz\1",w) if n>6 and not w.endswith(('wise','raise','raised','promise','promised','promises','advise','advised','revise','revised','exercise','exercises','otherwise','enterprise','enterprises','precise','premise','premises','surprise','expertise','franchise','noise','arising','raising','rising','advertising','advertise','merchandise','disguise','supervise','comprise','compromised','compromise')) else w
    if w.endswith('ies') and n>4: w=w[:-3]+'y'
    elif w.endswith(('sses','ches','shes','xes','zes')) and n>4: w=w[:-2]
    elif w.endswith('s') and not w.endswith(('ss','us','sis','xis')) and w not in ('this','his','paris','redis','tennis','iris','debris','is'): w=w[:-1]
    for suf in ('ing','ed'):
        if w.endswith(suf) and len(w)-len(suf)>=3 and re.search(r'[aeiouy]',w[:-len(suf)]):
            w=w[:-len(suf)]
            if len(w)>3 and w[-1]==w[-2] and w[-1] not in 'lsz': w=w[:-1]
            elif len(w)>3 and w[-1]==w[-2]=='l' : w=w[:-1] if len(w)>5 else w
            break
    for suf,rep in (('ization','iz'),('ation','at'),('ition','it'),('ution','ut'),('ction','ct'),('ssion','ss'),('ption','pt'),('tion','t'),('ment',''),('ness',''),('able',''),('ible','')):
        if w.endswith(suf) and len(w)-len(suf)>=4 and w not in KEEP: w=w[:-len(suf)]+rep; break
    if len(w)>4 and w.endswith('e'): w=w[:-1]
    if len(w)>4 and w.endswith('y'): w=w[:-1]+'i'
    return w
KEEP=set("payment document comment environment statement department attachment deployment assignment action section transaction collection session version position station location application organization information option region function notification subscription variable table production connection extension permission discussion attestation installation configuration authorization".split())
_cache={}
def cstem(w):
    r=_cache.get(w)
    if r is None: r=_cache[w]=stem(w)
    return r
def words(s):
    s=unicodedata.normalize('NFKC',split_ident(s)).lower().replace("’","'")
    s=re.sub(r"'(s|ll|d|m|re|ve)\b"," ",s); s=re.sub(r"n't\b"," not",s)
    return re.findall(r"[^\W_]+",s)
def toks(s): return [cstem(w) for w in words(s)]

for k in ('pr','prs','vm','vms'): IRR.pop(k,None)

NOING=set("setting billing building listing meeting shipping warning pricing string marketing training rating heading evening morning funding spending pending landing routing screening issuing hosting recording mapping onboarding reporting meaning opening closing bring spring ring king thing during nothing accounting branding engineering networking outstanding finding posting booking trading pairing scaling voicing".split())
_ostem=stem
def stem2(w):
    if w in NOING: return w
    if w.endswith('s') and w[:-1] in NOING: return w[:-1]
    return _ostem(w)
stem=stem2; _cache.clear()
STOP|=set("one two three four five first second specific given single certain particular existing current via per using use used across inside within between among around while because since until after before during without anything everything hi hello thanks thank ok bit lot lots bunch couple several many much way really even back away quite own's right".split())
def first_sentence(s):
    s=s.strip().replace('\n\n','. ')
    p=re.split(r"(?<=[.!?])\s+|\n",s,maxsplit=1)
    return p[0][:300],(p[1] if len(p)>1 else '')
