import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  findEngineProgram,
  startEngineProcess,
} from '@herald/local-cloud/engines/dynamodb/engine-program.ts';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Reply } from '../../../functions/middleware/reply.ts';
import { readClicks } from '../../../lib/links/clicks.ts';
import { linkWrites, planLinks } from '../../../lib/links/plan.ts';
import { openTable, type Table } from '../../../lib/table/table.ts';
import { transact } from '../../../lib/table/transaction.ts';
import { accessTo, createTable } from '../../support/create-table.ts';
import { type StagedEndpoint, startStagedEndpoint } from '../../support/staged-endpoint.ts';
import type { Variables } from '../environments.ts';

export interface ClickCount {
  readonly clicks: number;
  /** Redirected to the right destination with 302. */
  readonly served: number;
  readonly throttled: number;
  /** Clicks that were never counted. */
  readonly lost: number;
  /** Surplus counts of clicks that were counted more than once. */
  readonly doubled: number;
  /** The link's total number of clicks afterwards. */
  readonly counted: number;
  readonly slowestMs: number;
}

const target = 'https://example.com/shop';

type Handler = (event: APIGatewayProxyEventV2) => Promise<Reply>;

/**
 * Clicks one link on several instances of the function. As in Lambda, each handles one click at a time. Each has its own
 * proxy in front of the database engine, which shows how often every click took effect.
 */
export async function clickOften(
  bundle: string,
  options: {
    readonly clicks: number;
    readonly instances: number;
    readonly throttledShare: number;
    readonly environment: Variables;
  },
): Promise<ClickCount> {
  const { environment } = options;
  const tableName = environment['TABLE_NAME'] ?? '';
  const directory = await mkdtemp(join(tmpdir(), 'redirect-clicks-'));
  const program = findEngineProgram(directory);
  let engineUrl = '';
  const engine = await startEngineProcess({
    ...program,
    arguments: (port) => {
      engineUrl = `http://127.0.0.1:${port}`;
      return program.arguments(port);
    },
  });
  try {
    await createTable(tableName, accessTo(engineUrl));
    const table = openTable(tableName, accessTo(engineUrl));
    const code = await makeLink(table);
    const started: Instance[] = [];
    for (let instance = 0; instance < options.instances; instance += 1) {
      started.push(await startInstance(bundle, { instance, engineUrl, environment }));
    }
    const share = options.clicks / options.instances;
    const runs = started.map((instance) => click(instance, { ...options, code, clicks: share }));
    const counts = await Promise.all(runs);
    const counted = (await readClicks(table, [code])).get(code)?.total ?? 0;
    table.client.destroy();
    const sum = (figure: keyof Omit<ClickCount, 'counted'>) =>
      counts.reduce((total, count) => total + count[figure], 0);
    return {
      clicks: sum('clicks'),
      served: sum('served'),
      throttled: sum('throttled'),
      lost: sum('lost'),
      doubled: sum('doubled'),
      counted,
      slowestMs: Math.max(...counts.map(({ slowestMs }) => slowestMs)),
    };
  } finally {
    await engine.stop();
    await rm(directory, { recursive: true });
  }
}

async function makeLink(table: Table): Promise<string> {
  const [link] = planLinks([target]);
  if (!link) throw new Error('no link');
  const owner = { workspaceId: 'bench', automationId: 'bench', createdAt: '2026-03-01T00:00:00.000Z' };
  await transact(table, linkWrites(table, [link], owner));
  return link.code;
}

interface Instance {
  readonly handler: Handler;
  readonly endpoint: StagedEndpoint;
}

/**
 * Imports the bundle again, so that the instance has its own cache, connections and endpoint. It reads the environment of
 * this process.
 */
async function startInstance(
  bundle: string,
  options: { readonly instance: number; readonly engineUrl: string; readonly environment: Variables },
): Promise<Instance> {
  const endpoint = await startStagedEndpoint(options.engineUrl);
  const own = process.env;
  process.env = { ...own, ...options.environment, AWS_ENDPOINT_URL_DYNAMODB: endpoint.url };
  try {
    const { handler } = await import(`${pathToFileURL(bundle).href}?instance=${options.instance}`);
    return { handler, endpoint };
  } finally {
    process.env = own;
  }
}

async function click(
  { handler, endpoint }: Instance,
  { code, clicks, throttledShare }: { code: string; clicks: number; throttledShare: number },
): Promise<Omit<ClickCount, 'counted'>> {
  const tally = stageThrottles(endpoint, throttledShare);
  const figures = { clicks, served: 0, lost: 0, doubled: 0, slowestMs: 0 };
  const event = {
    pathParameters: { code },
    headers: { 'user-agent': 'Mozilla/5.0' },
    requestContext: { requestId: 'bench', http: { method: 'GET' } },
  } as unknown as APIGatewayProxyEventV2;
  for (let index = 0; index < clicks; index += 1) {
    const before = tally.passed;
    const startedAt = performance.now();
    const { statusCode, headers } = await handler(event);
    figures.slowestMs = Math.max(figures.slowestMs, performance.now() - startedAt);
    if (statusCode === 302 && headers['location'] === target) figures.served += 1;
    const effects = tally.passed - before;
    if (effects === 0) figures.lost += 1;
    figures.doubled += Math.max(0, effects - 1);
  }
  await endpoint.stop();
  return { ...figures, throttled: tally.throttled };
}

function stageThrottles(endpoint: StagedEndpoint, share: number) {
  const tally = { throttled: 0, passed: 0 };
  endpoint.stage = (operation) => {
    if (operation !== 'UpdateItem') return undefined;
    if (Math.random() < share) {
      tally.throttled += 1;
      return 'throttle';
    }
    tally.passed += 1;
    return undefined;
  };
  return tally;
}
