import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { as, type Body, done, eventually, newCasino, type Service, unique, verdict } from '../harness/index.ts';

type Seal = Body & {
  readonly number: number;
  readonly signature: string;
  readonly root: string;
  readonly previous: string;
};
type Job = Body & {
  readonly id: number;
  readonly state: string;
  readonly findings: readonly Body[];
  readonly result: { readonly findings: number; readonly seal?: Seal } | null;
};
type Head = { readonly stream: string; readonly revision: number; readonly hash: string };

/** JSON with its keys in order, which is canonical where all of them are ASCII and no number has a fraction. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

const sha = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** RFC 6962, as it is written there. */
const treeOf = (leaves: readonly string[]): Buffer => {
  if (leaves.length <= 1) return leaves[0] === undefined ? sha() : sha(Buffer.of(0), leaves[0]);
  const left = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return sha(Buffer.of(1), treeOf(leaves.slice(0, left)), treeOf(leaves.slice(left)));
};

export const audit = (service: Service): void => {
  const get = (path: string) => service.operator('GET', `/operator${path}`);
  const ended = async (job: Body) => {
    const last = await eventually(
      async () => as<Job>(done(await get(`/audit/jobs/${job.id}`))),
      ({ state }) => state === 'done' || state === 'failed',
      60_000,
    );
    expect(last.state).toBe('done');
    return last;
  };
  const ask = async (path: string, json: Body = {}) =>
    ended(done(await service.operator('POST', `/operator/audit/${path}`, json)));
  const sealed = async (): Promise<Seal> => {
    const { result } = await ask('seal');
    if (!result?.seal) throw new Error('nothing was sealed');
    return result.seal;
  };
  const accepted = async () => {
    const deposit = await (await (await newCasino(service)).deposit()).settle();
    await deposit.accept();
    return deposit;
  };

  describe('the check of a deposit', () => {
    it('finds its chain and its rows as history makes them', async () => {
      const { id } = await accepted();
      const { body } = await get(`/deposits/${id}/check`);
      expect(body).toEqual({ events: 7, findings: [], behind: false });
    });

    it('is 404 for a deposit that is not there', async () => {
      expect(verdict(await get('/deposits/999999999/check'))).toEqual({ status: 404, detail: 'Deposit not found' });
    });
  });

  describe('the verification of all history', () => {
    it('is a job whose progress is shown, and finds what nobody touched as it was written', async () => {
      await accepted();
      const job = await ask('verify');
      expect(job).toMatchObject({ kind: 'verify', findings: [], result: { findings: 0 } });
      expect(job.progress).toMatchObject({ events: expect.any(Number), streams: expect.any(Number) });
      expect(done(await get('/audit/jobs')).jobs).toContainEqual(job);
    });

    it('may be of one deposit, or of a time', async () => {
      const { id } = await accepted();
      expect(await ask('verify', { deposit_id: id })).toMatchObject({
        progress: { events: 7, streams: 1 },
        findings: [],
      });
      expect(await ask('verify', { from: '2099-01-01T00:00:00Z' })).toMatchObject({
        progress: { rows: 0 },
        findings: [],
      });
    });

    it('may be held against a seal', async () => {
      const { number } = await sealed();
      await accepted();
      expect(await ask('verify', { seal: number })).toMatchObject({ findings: [], result: { findings: 0 } });
      const unknown = await service.operator('POST', '/operator/audit/verify', { seal: 999_999 });
      expect(verdict(unknown)).toEqual({ status: 404, detail: 'Seal not found' });
    });
  });

  describe('a seal', () => {
    it('is signed, over all that was written, and chained to the one before', async () => {
      await accepted();
      const [before, seal] = [await sealed(), await sealed()];
      const { algorithm, public_key } = done(await get('/audit/public-key'));
      expect(algorithm).toBe('Ed25519');
      const { signature, ...body } = seal;
      const key = createPublicKey(String(public_key));
      expect(verify(null, Buffer.from(canonical(body)), key, Buffer.from(signature, 'base64'))).toBe(true);
      expect(verify(null, Buffer.from(canonical({ ...body, events: 1 })), key, Buffer.from(signature, 'base64'))).toBe(
        false,
      );
      expect(seal.number).toBe(before.number + 1);
      expect(seal.previous).toBe(sha(canonical(before)).toString('hex'));
      expect(done(await get(`/audit/seals/${seal.number}`))).toEqual(seal);
      expect(done(await get('/audit/seals')).seals).toEqual(expect.arrayContaining([seal, before]));
    });

    it('has the end of every history under it, and its file says which', async () => {
      const deposit = await accepted();
      const seal = await sealed();
      const { text } = await get(`/audit/seals/${seal.number}/file`);
      const [first, ...heads] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(first).toEqual(seal);
      const events = as<{ events: readonly Body[] }>(done(await get(`/deposits/${deposit.id}/events`))).events;
      expect(heads).toContainEqual({ stream: `deposit-${deposit.id}`, revision: 6, hash: events.at(-1)?.hash });
      const leaves = (heads as Head[]).map(({ hash, revision, stream }) => canonical({ hash, revision, stream }));
      expect(treeOf(leaves).toString('hex')).toBe(seal.root);
    });

    it('proves one event to whoever has the public key alone', async () => {
      const deposit = await accepted();
      const early = await get(`/audit/proof?deposit_id=${deposit.id}&revision=4`);
      expect(early).toMatchObject({ status: 409, body: { code: 'not_sealed_yet' } });
      const seal = await sealed();
      const proof = as<{ events: readonly Body[]; path: readonly { side: string; hash: string }[]; seal: Seal }>(
        done(await get(`/audit/proof?deposit_id=${deposit.id}&revision=4`)),
      );
      expect(proof.seal).toEqual(seal);
      expect(proof.events).toHaveLength(3);
      const hashes = proof.events.map((event) => sha(canonical(event)).toString('hex'));
      const leaf = canonical({ hash: hashes.at(-1), revision: 6, stream: `deposit-${deposit.id}` });
      const root = proof.path.reduce(
        (hash, step) => {
          const beside = Buffer.from(step.hash, 'hex');
          return step.side === 'left' ? sha(Buffer.of(1), beside, hash) : sha(Buffer.of(1), hash, beside);
        },
        sha(Buffer.of(0), leaf),
      );
      expect(root.toString('hex')).toBe(seal.root);
      expect(await get(`/audit/proof?deposit_id=${deposit.id}&revision=7`)).toMatchObject({ status: 404 });
    });

    it('is made by operators, and read by auditors', async () => {
      const tokenOf = async (role: string) =>
        String(done(await service.operator('POST', '/operator/tokens', { role, name: unique(role) })).token);
      const [auditor, ops, engine] = [await tokenOf('auditor'), await tokenOf('ops'), await tokenOf('engine')];
      const statuses = async (method: string, path: string) => {
        const all: number[] = [];
        for (const token of [auditor, ops, engine]) all.push((await service.operator(method, path, {}, token)).status);
        return all;
      };
      expect(await statuses('POST', '/operator/audit/seal')).toEqual([403, 202, 403]);
      expect(await statuses('POST', '/operator/audit/verify')).toEqual([202, 202, 403]);
    });
  });

  describe('the export of decisions', () => {
    const exported = (json: Body) => service.operator('POST', '/operator/audit/export', json);

    it('has a line for each decision of a casino, with its money, who and when', async () => {
      const casino = await newCasino(service);
      const [one, other] = [await (await casino.deposit()).settle(), await (await casino.deposit()).settle()];
      await casino.deposit();
      await one.accept();
      await other.freeze();
      const { text, headers } = await exported({ format: 'ndjson', entity_id: casino.entityId });
      expect(headers.get('content-type')).toContain('application/x-ndjson');
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Body);
      const decided = { entity_id: casino.entityId, actor: `api key ${casino.keyId}`, usd_amount: '100' };
      expect(lines.toSorted((a, b) => Number(a.deposit_id) - Number(b.deposit_id))).toEqual([
        expect.objectContaining({ ...decided, deposit_id: one.id, decision: 'accepted' }),
        expect.objectContaining({ ...decided, deposit_id: other.id, decision: 'frozen' }),
      ]);
      const later = await exported({ format: 'ndjson', entity_id: casino.entityId, from: '2099-01-01T00:00:00Z' });
      expect(later.text).toBe('');
    });

    it('runs nothing in a spreadsheet', async () => {
      const casino = await newCasino(service);
      const player = await casino.player({ gambler_ref: `=cmd|'/C calc'!A0, "${unique('x')}"` });
      const deposit = await (await casino.deposit({}, player)).settle();
      await deposit.accept();
      const { text } = await exported({ format: 'csv', entity_id: casino.entityId });
      const [head = '', line = ''] = text.split('\r\n');
      expect(head).toMatch(/^deposit_id,entity_id,/);
      expect(line).toContain(`"'=cmd|'/C calc'!A0, ""x`);
    });

    it('asks for a format that there is', async () => {
      expect((await exported({ format: 'xlsx' })).status).toBe(400);
    });
  });
};
