import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { json, Refusal } from './answers.ts';
import { readFields, withoutSecrets } from './body.ts';
import type { Call, SimulatorClock } from './call.ts';
import { controlOperations, openOverrides } from './control.ts';
import { injectFault, isHeld, openFaults } from './faults.ts';
import { openHeldCalls } from './held-calls.ts';
import { openLedger } from './ledger.ts';
import { lagSettings, openReads, readSettingProblem, readSettings } from './reads.ts';
import { type Match, matchOperation } from './router.ts';
import type { Answer, Operation, PlatformDefinition, Simulator } from './types.ts';

export interface SimulatorOptions {
  readonly definition: PlatformDefinition;
  /** The ledger's directory. Two simulators of one platform need two directories. */
  readonly dataDirectory: string;
  readonly clock: SimulatorClock;
  /** 0 means any free port. */
  readonly port: number;
}

/**
 * Starts a platform on one loopback port. Each of its real hosts is at `{url}/{host}`, the control address at
 * `{url}/_control`. All state is in the ledger, so a start on the same directory continues where the last run ended,
 * even if that run was killed.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { definition, clock } = options;
  const ledger = openLedger(options.dataDirectory, definition.name, () => clock.now());
  const faults = openFaults(ledger);
  const isNumber = (value: unknown): value is number => typeof value === 'number' && value >= 0;
  const isSetting = (value: unknown, name: string): value is unknown =>
    value !== undefined && readSettingProblem(name, value) === undefined;
  const limits = openOverrides(ledger, 'limit', definition.limits, isNumber);
  const allSettings = { ...readSettings, ...definition.settings };
  const ownSettings = openOverrides<unknown>(ledger, 'setting', allSettings, isSetting);
  const reads = openReads({ ledger, clock, setting: ownSettings.get });
  const settings: typeof ownSettings = {
    ...ownSettings,
    set(changes) {
      const problem = ownSettings.set(changes);
      if (problem === undefined && lagSettings.some((name) => Object.hasOwn(changes, name))) reads.begin();
      return problem;
    },
  };
  const held = openHeldCalls(clock, ledger);

  // Closes idle connections after 5 s, the default, because real platforms close them too.
  const server = createServer({ requestTimeout: 0 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const url = `http://127.0.0.1:${address.port}`;

  const platform = definition.open({
    clock,
    ledger,
    faults,
    reads,
    dataDirectory: options.dataDirectory,
    baseUrl: (host) => `${url}/${host}`,
    limit: limits.get,
    setting: settings.get,
  });
  const controls = controlOperations({ platform, ledger, faults, limits, settings });

  const unknownOperation: Operation = {
    name: 'unknown',
    method: '*',
    pattern: '*',
    body: 'fields',
    handler: (call) => platform.unknownPath(call),
  };

  let stopped = false;

  async function serveControl(request: IncomingMessage, response: ServerResponse, target: URL) {
    const match = matchOperation(controls, request.method ?? 'GET', target.pathname.slice(1));
    if (match === undefined) {
      return send(response, json({ error: `no ${request.method} ${target.pathname}` }, 404));
    }
    const reply = await refusable(async () => {
      const call = await withBody(callOf(request, target, match), match.operation);
      return match.operation.handler(call);
    });
    send(response, reply);
  }

  async function servePlatform(request: IncomingMessage, response: ServerResponse, target: URL) {
    const method = request.method ?? 'GET';
    const found = matchOperation(
      platform.operations,
      method,
      target.pathname.slice(1),
      request.headers,
      target.searchParams,
    );
    const match = found ?? { operation: unknownOperation, name: 'unknown', params: {} };
    const arrived = callOf(request, target, match);
    const finish = ledger.logRequest({ ...arrived, path: withoutSecrets(target) });
    const { faultApplies } = match.operation;
    const planned = faultApplies
      ? faults.takeWhere((fault) => faultApplies(fault, arrived))
      : faults.take(arrived.operation);
    let call = arrived;
    const handle = (given: Call) => refusable(async () => match.operation.handler(given));
    const reply = await refusable(async () => {
      if (planned !== undefined && isHeld(planned.fault)) {
        const body = match.operation.body === 'stream' ? await buffer(request) : undefined;
        const isClosed = planned.fault.startsWith('hold');
        const answer = async (later: Call) => send(response, await handle(later));
        held.hold(
          await withBody(arrived, match.operation),
          body,
          Number(planned.code),
          isClosed ? handle : answer,
        );
        if (isClosed) response.destroy();
        return undefined;
      }
      call = await withBody(arrived, match.operation);
      return planned === undefined ? handle(call) : injectFault(planned, call, platform, handle, response);
    });
    finish(reply?.status ?? 0, planned?.fault);
    if (reply === undefined) return;
    send(response, { ...reply, headers: { ...platform.headers?.(call), ...reply.headers } });
  }

  function callOf(request: IncomingMessage, target: URL, { name, params }: Match): Call {
    const [, host = '', ...rest] = target.pathname.split('/');
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    return {
      operation: name,
      method: request.method ?? 'GET',
      host,
      path: `/${rest.join('/')}`,
      params,
      query: target.searchParams,
      headers: request.headers,
      fields: Object.fromEntries(target.searchParams),
      ...(bearer !== undefined && { bearer }),
      at: clock.now(),
      request,
    };
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const target = new URL(request.url ?? '/', url);
    const serve = target.pathname.startsWith('/_control') ? serveControl : servePlatform;
    const served = held.carryOutDue().then(() => serve(request, response, target));
    served.catch((error: unknown) => {
      // Ignore errors if the caller has hung up or the ledger is closed. Anything else is a bug in the simulator.
      if (stopped || response.destroyed) return;
      console.error(`${definition.name} simulator: ${target.pathname}`, error);
      if (!response.headersSent) send(response, json({ error: 'the simulator failed; see its log' }, 500));
    });
  });

  return {
    url,
    control: `${url}/_control`,
    async stop() {
      stopped = true;
      held.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await platform.stop?.();
      ledger.close();
    },
  };
}

async function withBody(call: Call, { body }: Operation): Promise<Call> {
  if (body === 'stream') return call;
  return { ...call, fields: { ...call.fields, ...(await readFields(call.request)) } };
}

async function refusable<T>(work: () => Promise<T>): Promise<T | Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

/** Sends nothing if the caller has hung up. */
function send(response: ServerResponse, { status, headers = {}, body = '' }: Answer): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
