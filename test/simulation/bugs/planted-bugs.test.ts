import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type BugName, bugNames, plantedBugs } from './planted-bugs.ts';

interface SeedResult {
  readonly name: BugName;
  readonly seed: number;
  readonly violation?: string;
}

/** A change of the service or of the simulation can move the seed that finds a bug. */
const mostSeeds = 30;

const execute = promisify(execFile);

async function runChild(...line: string[]): Promise<readonly SeedResult[]> {
  const { stdout } = await execute(process.execPath, [join(import.meta.dirname, 'child.ts'), ...line]);
  return stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
}

/** Runs two children at a time. */
const lanes = [Promise.resolve(), Promise.resolve()];
let next = 0;
function inLane<Result>(work: () => Promise<Result>): Promise<Result> {
  const lane = next % lanes.length;
  next += 1;
  const result = (lanes[lane] ?? Promise.resolve()).then(work);
  lanes[lane] = result.then(
    () => undefined,
    () => undefined,
  );
  return result;
}

const foundBy = new Map<BugName, number>();

describe('the simulation finds a planted bug', { timeout: 180_000 }, () => {
  it.concurrent.each(bugNames)('%s', async (name) => {
    const { seed: first, finding } = plantedBugs[name];
    const results = await inLane(() => runChild('find', name, String(first), String(mostSeeds)));
    const { seed = first, violation } = results.at(-1) ?? {};
    expect(violation).toMatch(finding);
    foundBy.set(name, seed);
  });
});

describe('without the bugs', { timeout: 120_000 }, () => {
  it('the same seeds violate no check', async () => {
    const results = await runChild('pass', JSON.stringify([...foundBy]));
    expect(results.filter(({ violation }) => violation !== undefined)).toEqual([]);
    expect(results).toHaveLength(foundBy.size);
  });
});
