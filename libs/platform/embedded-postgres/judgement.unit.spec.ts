import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { describeWhere, itWhere } from '../../../test/support/jest-left-out.ts';
import { type Claim, claimName, claimsIn, type Said } from './claim.ts';
import { showsLife, verdictOn } from './judgement.ts';
import { lifelineName, openLifeline } from './lifeline.ts';
import { markOf } from './mark.ts';
import { placeOfThisProcess } from './place.ts';
import { startOfProcess } from './process-start.ts';

const here = placeOfThisProcess();
const own = startOfProcess(process.pid) ?? '';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cointill-claims-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const claimed = (said: Partial<Said> | undefined, start = own, pid = process.pid): Claim => {
  const text = said ? JSON.stringify({ id: 'a1', ...said }) : '';
  writeFileSync(join(dataDir, claimName(pid, start)), text);
  const [claim] = claimsIn(dataDir);
  if (!claim) throw new Error('the claim is not read');
  return claim;
};

const untouchedFor = (claim: Claim, milliseconds: number): number => {
  const now = Date.now();
  utimesSync(join(dataDir, claim.file), now / 1000, (now - milliseconds) / 1000);
  return now;
};

describe('a claim of this very namespace', () => {
  it('lives with its process', () => {
    expect(verdictOn(dataDir, claimed(here), Date.now())).toBe('lives');
  });

  it('is dead at once when its process has ended, or its number is that of a later one', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    expect(verdictOn(dataDir, claimed(here, own, child.pid), Date.now())).toBe('dead');
    rmSync(join(dataDir, claimName(child.pid ?? 0, own)));
    expect(verdictOn(dataDir, claimed(here, 'earlier-1'), Date.now())).toBe('dead');
  });
});

describe('a claim that was made under another mark than its directory has', () => {
  const there = { ...here, lifeline: true, directory: 'cointill-another' };

  it('is that of a copy, or of another mount of the same directory: some beats tell', () => {
    expect(verdictOn(dataDir, claimed({ ...here, directory: markOf(dataDir) }), Date.now())).toBe('lives');
    expect(verdictOn(dataDir, claimed(there), Date.now())).toEqual({ within: 3_000 });
    expect(verdictOn(dataDir, claimed({ ...there, pids: 'pid:[1]' }), Date.now())).toEqual({ within: 3_000 });
  });

  it('is dead at once when its process has ended', () => {
    expect(verdictOn(dataDir, claimed(there, 'earlier-1'), Date.now())).toBe('dead');
  });

  itWhere(process.platform === 'linux', 'only Linux has lifelines')(
    'lives where its lifeline is held here too, as among hard links',
    async () => {
      const lifeline = openLifeline(join(dataDir, lifelineName('a1'))) ?? -1;
      expect(verdictOn(dataDir, claimed(there), Date.now())).toBe('lives');
      closeSync(lifeline);
    },
  );
});

describe('a claim of an older release, which does not say where it was made', () => {
  it('lives with its process', () => {
    expect(verdictOn(dataDir, claimed(undefined), Date.now())).toBe('lives');
  });

  it('is not dead because nobody here has its number, but is when nothing is written meanwhile', async () => {
    const claim = claimed(undefined, 'earlier-1');
    expect(verdictOn(dataDir, claim, Date.now())).toEqual({ within: expect.any(Number) });
    expect(await showsLife(dataDir, claim, 300)).toBe(false);
  });

  it('lives when something is written below its directory', async () => {
    const claim = claimed(undefined, 'earlier-1');
    mkdirSync(join(dataDir, 'postgres'));
    const written = setTimeout(() => writeFileSync(join(dataDir, 'postgres', 'log'), ''), 100);
    expect(await showsLife(dataDir, claim, 5_000)).toBe(true);
    clearTimeout(written);
  });
});

describeWhere(process.platform === 'linux', 'only Linux has namespaces')('a claim of another namespace', () => {
  const there = { kernel: here.kernel, pids: 'pid:[1]', lifeline: true };

  it('lives as long as somebody holds its lifeline, however long it was not touched', () => {
    const claim = claimed(there, 'earlier-1');
    const lifeline = openLifeline(join(dataDir, lifelineName('a1'))) ?? -1;
    const now = untouchedFor(claim, 86_400_000);
    expect(verdictOn(dataDir, claim, now)).toBe('lives');
    closeSync(lifeline);
    expect(verdictOn(dataDir, claim, now)).toEqual({ within: 3_000 });
  });

  it('is one of another time namespace too, where each process shows another start', () => {
    const shifted = { ...here, lifeline: true, times: 'time:[1]' };
    const claim = claimed(shifted, 'earlier-1');
    const lifeline = openLifeline(join(dataDir, lifelineName('a1'))) ?? -1;
    expect(verdictOn(dataDir, claim, Date.now())).toBe('lives');
    closeSync(lifeline);
    expect(verdictOn(dataDir, claim, Date.now())).toEqual({ within: 3_000 });
  });

  it('is here where a release before did not say which time it has', () => {
    const { kernel, pids } = here;
    expect(verdictOn(dataDir, claimed({ kernel, pids, lifeline: true }, 'earlier-1'), Date.now())).toBe('dead');
  });

  it('is judged by time where it has no lifeline that tells, though its number is a living process here', () => {
    const claim = claimed(there);
    expect(verdictOn(dataDir, claim, untouchedFor(claim, 1_000))).toEqual({ within: 19_000 });
    writeFileSync(join(dataDir, lifelineName('a1')), 'a copy');
    expect(verdictOn(dataDir, claim, untouchedFor(claim, 1_000))).toEqual({ within: 19_000 });
  });
});

describe('a claim of another kernel', () => {
  const there = { kernel: 'another', pids: here.pids, lifeline: true };

  it.each([
    [0, 20_000],
    [8_000, 12_000],
    [3_600_000, 5_000],
    [-3_600_000, 20_000],
  ])('that was last touched %d ms before this one has %d ms to show that it lives', (age, within) => {
    const claim = claimed(there);
    expect(verdictOn(dataDir, claim, untouchedFor(claim, age))).toEqual({ within });
  });

  it('lives when it is touched', async () => {
    const claim = claimed(there);
    const touched = setTimeout(() => untouchedFor(claim, 5), 100);
    expect(await showsLife(dataDir, claim, 5_000)).toBe(true);
    clearTimeout(touched);
  });

  it('is given up when it is gone, and dead when nobody touches it', async () => {
    const claim = claimed(there);
    expect(await showsLife(dataDir, claim, 300)).toBe(false);
    rmSync(join(dataDir, claim.file));
    expect(await showsLife(dataDir, claim, 60_000)).toBe(false);
  });
});

it('a claim is of nowhere that this process knows when it does not know itself where it is', () => {
  const claim = claimed({ kernel: here.kernel });
  expect(verdictOn(dataDir, claim, untouchedFor(claim, 0), { kernel: undefined, pids: undefined })).toEqual({
    within: 20_000,
  });
});
