import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createTokenBucket } from '../../engines/token-bucket.ts';
import type { FunctionResource } from '../../model.ts';
import {
  createFunctionPool,
  type FunctionPool,
  type FunctionPoolOptions,
} from '../../runtime/function-pool.ts';

const poolModule = join(import.meta.dirname, '../../runtime/function-pool.ts');
const directory = mkdtempSync(join(tmpdir(), 'function-pool-'));
const pools: FunctionPool[] = [];
const logged: string[] = [];
let bundles = 0;

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
  logged.length = 0;
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Deploys a function with the given source, in a separate pool. */
function deploy(
  source: string,
  settings: Partial<FunctionResource> = {},
  options: Partial<FunctionPoolOptions> = {},
) {
  bundles += 1;
  const assetDirectory = join(directory, `bundle-${bundles}`);
  mkdirSync(assetDirectory);
  writeFileSync(join(assetDirectory, 'index.mjs'), source);
  const resource: FunctionResource = {
    name: 'greet',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:greet',
    assetDirectory,
    handler: 'index.handler',
    timeoutSeconds: 5,
    memoryMegabytes: 256,
    environment: { GREETING: 'hello' },
    roleArn: 'arn:aws:iam::000000000000:role/greet',
    ...settings,
  };
  const pool = createFunctionPool({
    functions: [resource],
    region: 'us-east-1',
    endpointUrl: 'http://127.0.0.1:1',
    credentials: () => ({ accessKeyId: 'KEY', secretAccessKey: 'SECRET', sessionToken: 'TOKEN' }),
    clockOffsetMs: () => 0,
    maximumEnvironments: () => 4,
    workDirectory: join(directory, 'work'),
    onLogLine: (name, line) => logged.push(`${name}: ${line}`),
    ...options,
  });
  pools.push(pool);
  return { pool, assetDirectory, invoke: (event: unknown = {}) => pool.invoke(resource.arn, event) };
}

describe('a function', () => {
  it('receives the event and returns JSON', async () => {
    const { invoke } = deploy(
      'export const handler = async (event) => ({ got: event, at: new Date(0), gone: undefined })',
    );
    expect(await invoke({ a: 1 })).toEqual({
      ok: true,
      result: { got: { a: 1 }, at: '1970-01-01T00:00:00.000Z' },
    });
  });

  it('may return nothing', async () => {
    const { invoke } = deploy('export const handler = async () => {}');
    expect(await invoke()).toEqual({ ok: true, result: null });
  });

  it("sees the template's and Lambda's variables, and none of this process's", async () => {
    process.env['HERALD_TEST_LEAK'] = 'leak';
    const { invoke } = deploy('export const handler = async () => process.env');
    const outcome = await invoke();
    delete process.env['HERALD_TEST_LEAK'];
    expect(outcome).toMatchObject({
      result: {
        GREETING: 'hello',
        AWS_LAMBDA_FUNCTION_NAME: 'greet',
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'KEY',
        AWS_SECRET_ACCESS_KEY: 'SECRET',
        AWS_SESSION_TOKEN: 'TOKEN',
        AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
        _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=1-/),
      },
    });
    const names = Object.keys((outcome as { result: object }).result);
    expect(
      names.filter((name) => !/^(GREETING|AWS_.+|_.+|LAMBDA_TASK_ROOT|LANG|TZ|HOME)$/.test(name)),
    ).toEqual([]);
  });

  it('gets a context with its identity and the remaining time', async () => {
    const { invoke } = deploy(`export const handler = async (event, context) => ({
      ...context, remaining: context.getRemainingTimeInMillis()
    })`);
    expect(await invoke()).toMatchObject({
      result: {
        functionName: 'greet',
        invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:greet',
        awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        memoryLimitInMB: '256',
        remaining: expect.toSatisfy((ms: number) => ms > 0 && ms <= 5000),
      },
    });
  });

  it('follows the local clock, while it loads and at each event', async () => {
    let offsetMs = 3_600_000;
    const { invoke } = deploy(
      'const loadedAt = Date.now(); export const handler = async () => [loadedAt, Date.now()]',
      {},
      { clockOffsetMs: () => offsetMs },
    );
    const aheadMs = async () => {
      const { result } = (await invoke()) as { result: number[] };
      return result.map((ms) => Math.round((ms - Date.now()) / 100_000) * 100_000);
    };
    expect(await aheadMs()).toEqual([3_600_000, 3_600_000]);
    offsetMs = 7_200_000;
    expect(await aheadMs()).toEqual([3_600_000, 7_200_000]);
  });

  it('sees at its first event that the local clock was moved while it loaded', async () => {
    let offsetMs = 0;
    const { pool, invoke } = deploy(
      `import { setTimeout as delay } from 'node:timers/promises';
       await delay(200);
       export const handler = async () => Date.now();`,
      {},
      { clockOffsetMs: () => offsetMs },
    );
    const outcome = invoke();
    await vi.waitFor(() => expect(pool.processes()).toHaveLength(1));
    offsetMs = 3_600_000;
    const { result } = (await outcome) as { result: number };
    expect(result - Date.now()).toBeGreaterThan(3_000_000);
  });

  it('keeps its memory between events, in the same process', async () => {
    const { pool, invoke } = deploy('let calls = 0; export const handler = async () => ++calls');
    await invoke();
    expect(await invoke()).toEqual({ ok: true, result: 2 });
    expect(pool.processes()).toEqual([{ function: 'greet', pid: expect.any(Number), isBusy: false }]);
  });

  it('writes its output to the log, line by line', async () => {
    const { invoke } = deploy(
      "export const handler = async () => { console.log('one\\ntwo'); console.error('three') }",
    );
    await invoke();
    await expect.poll(() => [...logged].sort()).toEqual(['greet: one', 'greet: three', 'greet: two']);
  });
});

describe('a failure', () => {
  it.each([
    ['an error', "class Odd extends Error { name = 'Odd' } throw new Odd('no')", 'Odd', 'no'],
    ['a thrown value', "throw 'no'", 'string', 'no'],
    ['an answer that is not JSON', 'return 1n', 'Runtime.MarshalError', /BigInt/],
    ['an exit', 'process.exit(3)', 'Runtime.ExitError', /exited with error: exit status 3/],
    ['a kill from outside', "process.kill(process.pid, 'SIGKILL')", 'Runtime.ExitError', /signal: killed/],
    [
      'an unhandled rejection',
      "Promise.reject(new Error('lost')); await new Promise(() => {})",
      'Runtime.ExitError',
      /exit status 1/,
    ],
    [
      'an answer over 6 MB',
      "return 'x'.repeat(6 * 1024 * 1024)",
      'Function.ResponseSizeTooLarge',
      /exceeded/,
    ],
  ])('caused by %s is an invocation error', async (_, body, errorType, message) => {
    const { invoke } = deploy(
      `export const handler = async (event) => { if (event.fail) { ${body} } return 'well' }`,
    );
    const outcome = await invoke({ fail: true });
    expect(outcome).toMatchObject({
      ok: false,
      error: { errorType, errorMessage: expect.stringMatching(message) },
    });
    expect(await invoke()).toEqual({ ok: true, result: 'well' });
  });

  it.each([
    ['waits', 'await new Promise(() => {})'],
    ['spins', 'while (true);'],
  ])('by timeout ends a function that %s', async (_, body) => {
    const { invoke } = deploy(
      `export const handler = async (event) => { if (event.fail) { ${body} } return process.pid }`,
      {
        timeoutSeconds: 0.3,
      },
    );
    expect(await invoke({ fail: true })).toMatchObject({
      error: {
        errorType: 'Sandbox.Timedout',
        errorMessage: expect.stringMatching('timed out after 0.30 seconds'),
      },
    });
    expect(await invoke()).toMatchObject({ ok: true });
  });

  it.each([
    ['a bundle that throws', "throw new Error('bad start')", 'index.handler', 'bad start'],
    ['a bundle that exits', 'process.exit(1)', 'index.handler', /exit status 1/],
    ['an absent export', 'export const other = 1', 'index.handler', /not exported/],
    ['an absent file', '', 'main.handler', /Cannot find module/],
  ])('to load %s fails the event', async (_, source, handler, message) => {
    const { invoke } = deploy(source, { handler });
    expect(await invoke()).toMatchObject({
      ok: false,
      error: { errorMessage: expect.stringMatching(message) },
    });
  });

  it('does not affect another environment of the function', async () => {
    const { invoke } = deploy(`export const handler = async (event) => {
      if (event.fail) process.exit(1);
      await new Promise((settle) => setTimeout(settle, 100));
      return 'well';
    }`);
    const [well, failed] = await Promise.all([invoke(), invoke({ fail: true })]);
    expect(well).toEqual({ ok: true, result: 'well' });
    expect(failed).toMatchObject({ ok: false });
  });

  it('is the result for an unknown function and for an event over 6 MB', async () => {
    const { pool, invoke } = deploy('export const handler = async () => 1');
    expect(await pool.invoke('arn:aws:lambda:us-east-1:000000000000:function:other', {})).toMatchObject({
      error: { errorType: 'ResourceNotFoundException' },
    });
    expect(await invoke('x'.repeat(6 * 1024 * 1024))).toMatchObject({
      error: { errorType: 'RequestTooLargeException' },
    });
    expect(pool.processes()).toEqual([]);
  });
});

describe('concurrency', () => {
  const busy = `export const handler = async () => {
    await new Promise((settle) => setTimeout(settle, 50));
    return process.pid;
  }`;
  const pids = (outcomes: readonly object[]) =>
    new Set(outcomes.map((outcome) => (outcome as { result: number }).result));

  it('is one event per environment, up to the maximum number of environments', async () => {
    const { pool, invoke } = deploy(busy);
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => invoke()));
    expect(pids(outcomes).size).toBe(4);
    expect(pool.processes()).toHaveLength(4);
  });

  it('never exceeds the reserved concurrency', async () => {
    const { invoke } = deploy(busy, { reservedConcurrency: 2 });
    expect(pids(await Promise.all(Array.from({ length: 6 }, () => invoke()))).size).toBe(2);
  });

  it('grows only as fast as environments may start: an event that finds none is throttled', async () => {
    const startBucket = createTokenBucket({ perSecond: 0, burst: 2 });
    const { invoke } = deploy(busy, {}, { startBucket });
    const outcomes = await Promise.all([invoke(), invoke(), invoke()]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(outcomes[2]).toMatchObject({ error: { errorType: 'TooManyRequestsException' } });
    expect(await invoke()).toMatchObject({ ok: true });
  });

  it('of 0 throttles every event', async () => {
    const { invoke } = deploy(busy, { reservedConcurrency: 0 });
    expect(await invoke()).toMatchObject({ error: { errorType: 'TooManyRequestsException' } });
  });

  it('recovers after a kill, also for waiting events', async () => {
    const { pool, invoke } = deploy(busy, { reservedConcurrency: 1 });
    await invoke();
    const all = Promise.all([invoke(), invoke(), invoke()]);
    process.kill(pool.processes()[0]?.pid ?? 0, 'SIGKILL');
    const outcomes = await all;
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, true, true]);
  });
});

describe('between events', () => {
  const stopped = (pool: FunctionPool) => expect.poll(() => stateOf(pool.processes()[0]?.pid)).toMatch(/^T/);
  const aWhile = () => new Promise((settle) => setTimeout(settle, 200));

  it('nothing in an environment makes progress', async () => {
    const file = join(directory, 'ticks');
    const { pool, invoke } = deploy(`import { appendFileSync } from 'node:fs';
      setInterval(() => appendFileSync(${JSON.stringify(file)}, '.'), 5);
      export const handler = () => new Promise((settle) => setTimeout(settle, 50));`);
    const ticks = () => statSync(file).size;
    await invoke();
    await stopped(pool);
    const before = ticks();
    await aWhile();
    expect(ticks()).toBe(before);
    await invoke();
    expect(ticks()).toBeGreaterThan(before);
  });

  it('an unfinished promise waits for the next event', async () => {
    const [go, done] = [join(directory, 'go'), join(directory, 'done')];
    const { pool, invoke } = deploy(`import { existsSync, writeFileSync } from 'node:fs';
      const wait = (ms) => new Promise((settle) => setTimeout(settle, ms));
      export const handler = async ({ begin }) => {
        const unfinished = async () => {
          while (!existsSync(${JSON.stringify(go)})) await wait(5);
          writeFileSync(${JSON.stringify(done)}, '');
        };
        if (begin) unfinished();
        else while (!existsSync(${JSON.stringify(done)})) await wait(5);
      }`);
    await invoke({ begin: true });
    await stopped(pool);
    writeFileSync(go, '');
    await aWhile();
    expect(existsSync(done)).toBe(false);
    expect(await invoke()).toMatchObject({ ok: true });
  });

  it('and after a failure, the process is stopped', async () => {
    const { pool, invoke } = deploy(
      "export const handler = async ({ fail }) => { if (fail) throw new Error('no'); }",
    );
    for (const fail of [false, true]) {
      await invoke({ fail });
      await stopped(pool);
    }
  });
});

describe('a chain of events', () => {
  const arn = 'arn:aws:lambda:us-east-1:000000000000:function:greet';
  const source = 'export const handler = async () => process.env._X_AMZN_TRACE_ID';
  /** Follows a chain as queues do: each event has the trace header of the function that sent it. */
  async function follow(pool: FunctionPool, events: number) {
    let traceHeader = 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0';
    for (let event = 1; event <= events; event += 1) {
      const outcome = await pool.invoke(arn, {}, { traceHeader });
      if (!outcome.ok) return { event, error: outcome.error.errorType };
      traceHeader = String(outcome.result);
    }
    return { event: events, traceHeader };
  }

  it('is stopped after 16 invocations of the function', async () => {
    expect(await follow(deploy(source).pool, 30)).toEqual({
      event: 17,
      error: 'RecursiveInvocationException',
    });
    expect(logged.join()).toContain('Lambda has stopped a recursive loop');
  });

  it('is not stopped if the template allows loops', async () => {
    expect(await follow(deploy(source, { allowsLoops: true }).pool, 18)).toEqual({
      event: 18,
      traceHeader: expect.stringMatching(
        /^Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0;Lineage=[0-9a-f]{8}:18$/,
      ),
    });
  });
});

describe('a share of a processor', () => {
  it('lets a function with little memory run for a fraction of the time', async () => {
    const spin = `export const handler = async () => {
      const begun = process.cpuUsage().user;
      const end = performance.now() + 1_500;
      while (performance.now() < end);
      return (process.cpuUsage().user - begun) / 1000;
    }`;
    const settings = { memoryMegabytes: 256 };
    const { invoke } = deploy(spin, settings, { sharesProcessor: true });
    const usedMs = async () => ((await invoke()) as { result: number }).result;
    // 0.14 of 1,500 ms, plus the delay of a busy machine, which stops the process late; then another call is inspected.
    await expect.poll(usedMs).toBeLessThan(1_000);
  });
});

/** `ps` shows T for a stopped process, and Z for one that has ended but was not reaped yet. */
const stateOf = (pid: number | undefined) =>
  spawnSync('ps', ['-o', 'stat=', '-p', String(pid)]).stdout.toString();

describe('an environment ends', () => {
  it('when the pool stops, after the running invocation has ended', async () => {
    const { pool, invoke } = deploy(`export const handler = async () => {
      await new Promise((settle) => setTimeout(settle, 100));
      return 'finished';
    }`);
    const running = invoke();
    await expect.poll(() => pool.processes().length).toBe(1);
    await pool.stop();
    expect(await running).toEqual({ ok: true, result: 'finished' });
    expect(pool.processes()).toEqual([]);
    expect(await invoke()).toMatchObject({ ok: false });
  });

  it('when the pool stops and the invocation does not end, with an error for waiting events too', async () => {
    const { pool, invoke } = deploy(
      'export const handler = () => new Promise(() => {})',
      { reservedConcurrency: 1 },
      { graceMs: 50 },
    );
    const outcomes = Promise.all([invoke(), invoke()]);
    await expect.poll(() => pool.processes().length).toBe(1);
    await pool.stop();
    expect((await outcomes).map(({ ok }) => ok)).toEqual([false, false]);
  });

  it('after the idle time, and the next event starts another', async () => {
    const { pool, invoke } = deploy(
      'export const handler = async () => process.pid',
      {},
      { idleSeconds: 0.1 },
    );
    const first = await invoke();
    await expect.poll(() => pool.processes()).toEqual([]);
    const second = await invoke();
    expect(second).toMatchObject({ ok: true });
    expect(second).not.toEqual(first);
  });

  it('when the process that started it is killed', async () => {
    const { assetDirectory } = deploy('export const handler = async () => process.pid');
    const parent = spawn(process.execPath, [
      '--input-type=module-typescript',
      '-e',
      `
      import { createFunctionPool } from ${JSON.stringify(poolModule)};
      const pool = createFunctionPool({
        functions: [{ name: 'f', arn: 'f', assetDirectory: ${JSON.stringify(assetDirectory)}, handler: 'index.handler',
          timeoutSeconds: 5, memoryMegabytes: 128, environment: {}, roleArn: 'r' }],
        region: 'r', endpointUrl: 'e', credentials: () => ({}), clockOffsetMs: () => 0, maximumEnvironments: () => 1,
        workDirectory: ${JSON.stringify(join(directory, 'parent'))}, onLogLine: () => {},
      });
      console.log((await pool.invoke('f', {})).result);
    `,
    ]);
    const [pid] = await once(parent.stdout, 'data');
    const isAlive = () => /^[^Z]/.test(stateOf(Number(pid)));
    await expect.poll(() => stateOf(Number(pid))).toMatch(/^T/);
    parent.kill('SIGKILL');
    await expect.poll(isAlive).toBe(false);
  });
});
