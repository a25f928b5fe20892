import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { bodyText, json, Refusal } from './answers.ts';
import { type BackgroundWork, openBackground } from './background.ts';
import { readFields } from './body.ts';
import type { Call, SimulatorClock } from './call.ts';
import { controlOperations, openOverrides } from './control.ts';
import { answered, injectFault, isHeld, type Outcome, openFaults } from './faults.ts';
import { openHeldCalls } from './held-calls.ts';
import { type OnLive, openLedger } from './ledger.ts';
import type { LivePost } from './live-post.ts';
import { type FileBody, openPartialFiles, openPartialFilesInMemory } from './media/partial-files.ts';
import { numberSettings, openNumbers } from './numbers.ts';
import { openRandom } from './random.ts';
import { lagSettings, openReads, type ReadLagMs, readSettingProblem, readSettings } from './reads.ts';
import type { Exchange, WholeAnswer } from './recording/exchange.ts';
import { type BodyRecorder, recordBody } from './recording/recorded-body.ts';
import type { LoggedRequest } from './recording/request-log.ts';
import { createRouter, type Match } from './router.ts';
import { openClockTimers, realTimers } from './timers.ts';
import type { Answer, Operation, PlannedFault, PlatformDefinition } from './types.ts';

/** The outcome of a request. The body of an answer is complete. */
export type Served =
  | Exclude<Outcome, { kind: 'answer' }>
  | { readonly kind: 'answer'; readonly answer: WholeAnswer };

/** A request to a platform, however it arrived. */
interface PlatformRequest {
  readonly method: string;
  /** Path and query: `/{host}/{path}?{query}`, or `/_control/{path}`. */
  readonly target: string;
  /** The names in lower case. Nothing is added: an upload needs its `content-length`. */
  readonly headers: IncomingHttpHeaders;
  readonly body?: Uint8Array | FileBody;
}

/** A platform without a server. Only `serve`, `settle` and `posts` carry out work that is due by the clock. */
export interface OpenPlatform {
  /**
   * Serves a call of the platform or of the control address.
   *
   * @returns the outcome for the caller. With the fault `slow` it is pending until a later call, or `settle`, at that time
   * @throws Error for a bug in the simulator, or if the body breaks off
   */
  serve(request: PlatformRequest): Promise<Served>;
  /** Returns the live posts, oldest first. */
  posts(): readonly LivePost[];
  /** Returns the calls of the platform, without those of the control address. */
  requests(): readonly LoggedRequest[];
  /** Carries out everything that is due: held calls, posts whose processing has ended, webhooks. Does not wait for `idle`. */
  settle(): Promise<void>;
  /** Returns the time at which `settle` is next needed, in epoch milliseconds; undefined if nothing waits for a time. */
  nextChangeMs(): number | undefined;
  /**
   * Resolves when no work continues in the background: all files are fetched and no webhook is being sent. With a kind,
   * waits only for work of that kind.
   */
  idle(kind?: BackgroundWork): Promise<void>;
  /** Aborts the work in the background, waits for it, and closes the ledger. */
  stop(): Promise<void>;
}

export interface OpenPlatformOptions {
  readonly definition: PlatformDefinition;
  readonly clock: SimulatorClock;
  /** Returns the address of a real host, for the addresses in answers. */
  baseUrl(host: string): string;
  /** The directory of the ledger and of the platform's files; absent: everything is in memory. */
  readonly dataDirectory?: string;
  /** The `fetch` for files and webhooks. It enforces its own time limits: the platform sets no timeouts. */
  readonly fetch?: typeof fetch;
  /** The source of all random ids and secrets. Default: `node:crypto`. */
  readonly randomBytes?: (count: number) => Buffer;
  /** The lag of each read. Replaces the settings of lags. */
  readonly lagMs?: ReadLagMs;
  readonly onLive?: OnLive;
  /** Receives each request to the platform when it is answered, or when it is certain to stay unanswered. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** True if later work of the platform, such as a retry, waits for real time. By default it waits for the clock. */
  readonly hasRealTimers?: boolean;
}

/**
 * Opens a platform without a server. In memory and with `fetch`, it uses no timers and no input or output: its behaviour depends
 * only on the calls, the clock and the random bytes.
 */
export function openPlatform(options: OpenPlatformOptions): OpenPlatform {
  const { definition, clock, dataDirectory, fetch, lagMs } = options;
  const ledger = openLedger(dataDirectory, definition.name, () => clock.now(), options.onLive);
  const faults = openFaults(ledger);
  const isNumber = (value: unknown): value is number => typeof value === 'number' && value >= 0;
  const isSetting = (value: unknown, name: string): value is unknown =>
    value !== undefined && readSettingProblem(name, value) === undefined;
  const limits = openOverrides(ledger, 'limit', definition.limits, isNumber);
  const allSettings = { ...readSettings, ...numberSettings, ...definition.settings };
  const ownSettings = openOverrides<unknown>(ledger, 'setting', allSettings, isSetting);
  const reads = openReads({ ledger, clock, setting: ownSettings.get, ...(lagMs && { lagMs }) });
  const settings: typeof ownSettings = {
    ...ownSettings,
    set(changes) {
      const problem = ownSettings.set(changes);
      if (problem === undefined && lagSettings.some((name) => Object.hasOwn(changes, name))) reads.begin();
      return problem;
    },
  };
  const held = openHeldCalls(clock, ledger);
  const random = openRandom(options.randomBytes);
  const background = openBackground();
  const timers = openClockTimers(clock);

  const platform = definition.open({
    clock,
    ledger,
    faults,
    reads,
    numbers: openNumbers(settings.get),
    random,
    background,
    timers: options.hasRealTimers === true ? realTimers : timers,
    ...(fetch !== undefined && { fetch }),
    openFiles: (folder) =>
      dataDirectory === undefined
        ? openPartialFilesInMemory()
        : openPartialFiles(join(dataDirectory, folder)),
    baseUrl: options.baseUrl,
    limit: limits.get,
    setting: settings.get,
  });
  const findControl = createRouter(
    controlOperations({ platform, ledger, background, faults, limits, settings }),
  );
  const findOperation = createRouter(platform.operations);

  const unknownOperation: Operation = {
    name: 'unknown',
    method: '*',
    pattern: '*',
    body: 'fields',
    handler: (call) => platform.unknownPath(call),
  };

  async function settle(): Promise<void> {
    await held.carryOutDue();
    timers.runDue();
    platform.settle?.(clock.now());
  }

  async function serve(request: PlatformRequest): Promise<Served> {
    const target = new URL(request.target, base);
    // This happens before anything is awaited, because the body may arrive meanwhile.
    const recorder = isControl(request.target) ? undefined : recordBody(request.headers, request.body);
    await settle();
    const outcome = recorder
      ? await servePlatform({ ...request, body: recorder.body }, target, recorder)
      : await serveControl(request, target);
    if (outcome.kind !== 'answer') return outcome;
    return { kind: 'answer', answer: { ...outcome.answer, body: bodyText(outcome.answer, random) } };
  }

  async function serveControl(request: PlatformRequest, target: URL): Promise<Outcome> {
    const match = findControl(request.method, target.pathname.slice(1));
    if (match === undefined) {
      return answered(json({ error: `no ${request.method} ${target.pathname}` }, 404));
    }
    return refusable(async () => {
      const call = await withFields(callOf(request, target, match, clock.now()), match.operation);
      return answered(await match.operation.handler(call));
    });
  }

  async function servePlatform(
    request: PlatformRequest,
    target: URL,
    recorder: BodyRecorder,
  ): Promise<Outcome> {
    const { method, headers } = request;
    const found = findOperation(method, target.pathname.slice(1), headers, target.searchParams);
    const match = found ?? { operation: unknownOperation, name: 'unknown', params: {} };
    const { operation } = match;
    const arrived = callOf(request, target, match, clock.now());
    const log = ledger.requests.begin({ ...arrived, target: request.target });
    const { faultApplies } = operation;
    const planned = faultApplies
      ? faults.takeWhere((fault) => faultApplies(fault, arrived))
      : faults.take(arrived.operation);
    let call = arrived;
    const handle = async (given: Call) => {
      try {
        return await operation.handler(given);
      } catch (error) {
        if (error instanceof Refusal) return error.answer;
        throw error;
      }
    };
    const finish = (answer?: WholeAnswer) => {
      const body = recorder.recorded();
      log({ status: answer?.status ?? 0, fault: planned?.fault, body });
      const { operation: name, host, path, query } = arrived;
      const sent = { platform: definition.name, operation: name, method, host, path, query, headers, body };
      options.onExchange?.({ ...sent, ...(planned && { fault: planned.fault }), ...(answer && { answer }) });
    };
    const answerCall = async (): Promise<Outcome | Later> => {
      if (planned !== undefined && isHeld(planned.fault)) return hold(arrived, operation, planned, handle);
      call = await withFields(arrived, operation);
      if (planned !== undefined) return injectFault(planned, call, { platform, handle, random });
      return answered(await handle(call));
    };
    const outcome = await refusable(answerCall).catch((error: unknown) => {
      finish();
      throw error;
    });
    if (outcome.kind !== 'answer' && outcome.kind !== 'later') {
      finish();
      return outcome;
    }
    if (outcome.kind === 'later') log({ status: 0, fault: planned?.fault, body: recorder.recorded() });
    const given = await outcome.answer;
    const added = outcome.kind === 'answer' ? platform.headers?.(call) : {};
    const answer = { ...given, headers: { ...added, ...given.headers }, body: bodyText(given, random) };
    finish(answer);
    return answered(answer);
  }

  async function hold(
    call: Call,
    operation: Operation,
    { fault, code }: PlannedFault,
    handle: (call: Call) => Promise<Answer>,
  ): Promise<Outcome | Later> {
    const body = operation.body === 'stream' ? await buffer(call.body) : undefined;
    const whole = await withFields(call, operation);
    const carryOut = (later: Call) => {
      platform.settle?.(later.at);
      return handle(later);
    };
    if (fault.startsWith('hold')) {
      held.hold(whole, body, Number(code), carryOut);
      return { kind: 'closed' };
    }
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    held.hold(whole, body, Number(code), (later) => carryOut(later).then(resolve, reject));
    return { kind: 'later', answer: promise };
  }

  return {
    serve,
    posts() {
      platform.settle?.(clock.now());
      return ledger.posts.list();
    },
    requests: () => ledger.requests.list(),
    settle,
    nextChangeMs() {
      const times = [held.nextMs(), timers.nextMs(), platform.nextSettleMs?.()];
      const known = times.filter((time) => time !== undefined);
      return known.length === 0 ? undefined : Math.min(...known);
    },
    idle: background.idle,
    async stop() {
      await background.stop();
      ledger.close();
    },
  };
}

/** Returns true if a request goes to the control address. @param target path and query, as in `PlatformRequest` */
export function isControl(target: string): boolean {
  return URL.parse(target, base)?.pathname.startsWith('/_control') ?? false;
}

const base = 'http://platform';

interface Later {
  readonly kind: 'later';
  readonly answer: Promise<Answer>;
}

async function refusable<T>(work: () => Promise<T>): Promise<T | Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return answered(error.answer);
    throw error;
  }
}

/** Returns the call that a request makes, with a body that is not read yet. @param at epoch milliseconds */
function callOf(
  { method, target, headers, body }: PlatformRequest,
  { pathname, searchParams }: URL,
  { name, params }: Match,
  at: number,
): Call {
  const [, host = '', ...rest] = pathname.split('/');
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return {
    operation: name,
    method,
    target,
    host,
    path: `/${rest.join('/')}`,
    params,
    query: searchParams,
    headers,
    fields: Object.fromEntries(searchParams),
    ...(bearer !== undefined && { bearer }),
    at,
    body: streamOf(body),
  };
}

/** Reads the fields of the body, unless the operation reads it as a stream. @throws Refusal with 413 above 1 MiB */
async function withFields(call: Call, { body }: Operation): Promise<Call> {
  if (body === 'stream') return call;
  return { ...call, fields: { ...call.fields, ...(await readFields(call)) } };
}

function streamOf(body: PlatformRequest['body'] = []): Readable {
  if (body instanceof Readable) return body;
  return Readable.from(body instanceof Uint8Array ? [body] : body);
}
