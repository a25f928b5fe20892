import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { html } from './answers.ts';
import type { Call } from './call.ts';
import type { Ledger } from './ledger.ts';
import type { Answer, FaultMatch, Faults, Handler, PlannedFault, Platform } from './types.ts';

/** The faults that can be planned, and whether the platform executes the call before it misbehaves. */
const faultKinds: Readonly<Record<string, 'done' | 'not done'>> = {
  error: 'not done',
  'error-after': 'done',
  timeout: 'not done',
  'timeout-after': 'done',
  'drop-reply': 'done',
  'drop-request': 'not done',
  hold: 'not done',
  slow: 'not done',
  'rate-limit': 'not done',
  'expire-token': 'not done',
  html: 'not done',
  'half-json': 'done',
  empty: 'not done',
  'ok-with-error': 'not done',
  redirect: 'not done',
  'huge-body': 'not done',
  'slow-body': 'not done',
};

export interface FaultPlan extends FaultMatch {
  readonly times: number;
}

export interface FaultBook extends Faults {
  /** Uses up the oldest planned fault that `faultApplies` accepts, if there is one. */
  takeWhere(faultApplies: (planned: FaultMatch) => boolean): PlannedFault | undefined;
  plan(fault: FaultPlan): void;
  list(): readonly FaultPlan[];
  clear(): void;
}

/**
 * Whether the call takes effect later, even if its caller has gone: `hold` closes the connection immediately, `slow`
 * keeps it open and answers after the effect.
 */
export function isHeld(fault: string): boolean {
  return /^(hold|slow)(:|$)/.test(fault);
}

/** Why a fault cannot be planned, or undefined. */
export function faultProblem(fault: string): string | undefined {
  const [kind = '', ...code] = fault.split(':');
  if (!Object.hasOwn(faultKinds, kind)) return `fault must be one of ${Object.keys(faultKinds).join(', ')}`;
  if (kind.startsWith('error') && code.join(':') === '')
    return `fault ${kind} needs a code, such as ${kind}:190`;
  if (isHeld(fault) && !/^\d{1,6}$/.test(code.join(':')))
    return `fault ${kind} needs the seconds until the call takes effect, such as ${kind}:20`;
  return undefined;
}

/** The planned faults, kept in the ledger. Faults for one name are used up oldest first. */
export function openFaults(ledger: Ledger): FaultBook {
  const plans = ledger.records<FaultPlan & { readonly id: string }>('fault');
  const takeWhere: FaultBook['takeWhere'] = (faultApplies) => {
    const plan = plans.list().find(faultApplies);
    if (plan === undefined) return undefined;
    if (plan.times > 1) plans.put(plan.id, { ...plan, times: plan.times - 1 });
    else plans.delete(plan.id);
    const [, ...code] = plan.fault.split(':');
    return { fault: plan.fault, ...(code.length > 0 && { code: code.join(':') }) };
  };
  return {
    plan(fault) {
      const id = String(ledger.nextNumber('fault'));
      plans.put(id, { ...fault, id });
    },
    list: () => plans.list().map(({ match, fault, times }) => ({ match, fault, times })),
    clear() {
      for (const { id } of plans.list()) plans.delete(id);
    },
    take: (name) => takeWhere(({ match }) => match === name || match === '*'),
    takeWhere,
  };
}

/** Carries out a planned fault. @returns the answer to send; undefined if it was sent here or must never be sent */
export async function injectFault(
  planned: PlannedFault,
  call: Call,
  platform: Platform,
  handle: Handler,
  response: ServerResponse,
): Promise<Answer | undefined> {
  const kind = planned.fault.split(':')[0] ?? '';
  const reply = faultKinds[kind] === 'done' ? await handle(call) : undefined;
  switch (kind) {
    case 'error':
    case 'error-after':
      return platform.error(planned.code ?? '500', call);
    case 'rate-limit':
      return platform.rateLimited(call);
    case 'expire-token':
      platform.expireToken(call);
      return handle(call);
    case 'ok-with-error':
      return { ...platform.error(planned.code ?? '500', call), status: 200 };
    case 'html':
      return html('<!DOCTYPE html><title>Error</title><h1>Sorry, something went wrong.</h1>');
    case 'empty':
      return { status: 200, headers: { 'content-type': 'application/json' }, body: '' };
    case 'half-json':
      return halved(reply ?? platform.error('500', call));
    case 'redirect':
      return { status: 302, headers: { location: '/_elsewhere' } };
    case 'timeout':
    case 'timeout-after':
      return undefined;
    case 'drop-reply':
    case 'drop-request':
      response.destroy();
      return undefined;
    case 'huge-body':
      await sendHugeBody(response);
      return undefined;
    case 'slow-body':
      await sendSlowBody(response);
      return undefined;
    default:
      throw new Error(`unknown fault ${planned.fault}`);
  }
}

function halved(answer: Answer): Answer {
  const body = answer.body ?? '{}';
  return { ...answer, body: body.slice(0, Math.ceil(body.length / 2)) };
}

/** Sends one JSON string of 256 MiB, as fast as the caller reads. */
async function sendHugeBody(response: ServerResponse): Promise<void> {
  const piece = 'x'.repeat(64 * 1024);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"data":"');
  for (let sent = 0; sent < 4096 && !response.destroyed; sent += 1) {
    if (!response.write(piece)) await untilDrained(response);
  }
  if (!response.destroyed) response.end('"}');
}

function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

/** Sends one space per second of real time for ten minutes, so that the caller must enforce its own timeout. */
async function sendSlowBody(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  for (let second = 0; second < 600 && !response.destroyed; second += 1) {
    response.write(' ');
    await delay(1000, undefined, { ref: false });
  }
  if (!response.destroyed) response.end('{}');
}
