import { bodyText, html } from './answers.ts';
import type { Call } from './call.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
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
 * Returns true if the call takes effect later, even if its caller has gone: `hold` closes the connection immediately, `slow`
 * keeps it open and answers after the effect.
 */
export function isHeld(fault: string): boolean {
  return /^(hold|slow)(:|$)/.test(fault);
}

/** Returns the reason that a fault cannot be planned; undefined if it can. */
export function faultProblem(fault: string): string | undefined {
  const [kind = '', ...code] = fault.split(':');
  if (!Object.hasOwn(faultKinds, kind)) return `fault must be one of ${Object.keys(faultKinds).join(', ')}`;
  if (kind.startsWith('error') && code.join(':') === '')
    return `fault ${kind} needs a code, such as ${kind}:190`;
  if (isHeld(fault) && !/^\d{1,6}$/.test(code.join(':')))
    return `fault ${kind} needs the seconds until the call takes effect, such as ${kind}:20`;
  return undefined;
}

/** Opens the planned faults, kept in the ledger. Faults for one name are used up oldest first. */
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

/** The outcome of a request. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** The platform closes the connection without an answer. */
  | { readonly kind: 'closed' }
  /** The platform never answers. */
  | { readonly kind: 'silent' }
  | EndlessBody;

/** A 200 with a JSON body that lasts: `first`, `pieces` times `piece` with a pause before each next one, then `last`. */
export interface EndlessBody {
  readonly kind: 'endless';
  readonly first: string;
  readonly piece: string;
  readonly pieces: number;
  /** The pause in real milliseconds over HTTP. */
  readonly pauseMs: number;
  readonly last: string;
}

/** One JSON string of 256 MiB, as fast as the caller reads. */
const hugeBody: EndlessBody = {
  kind: 'endless',
  first: '{"data":"',
  piece: 'x'.repeat(64 * 1024),
  pieces: 4096,
  pauseMs: 0,
  last: '"}',
};

/** One space per second for ten minutes, so that the caller must enforce its own timeout. */
const slowBody: EndlessBody = {
  kind: 'endless',
  first: '',
  piece: ' ',
  pieces: 600,
  pauseMs: 1000,
  last: '{}',
};

/** Carries out a planned fault. @param random creates the random parts of the answers */
export async function injectFault(
  planned: PlannedFault,
  call: Call,
  { platform, handle, random }: { platform: Platform; handle: Handler; random: Random },
): Promise<Outcome> {
  const kind = planned.fault.split(':')[0] ?? '';
  const reply = faultKinds[kind] === 'done' ? await handle(call) : undefined;
  switch (kind) {
    case 'error':
    case 'error-after':
      return answered(platform.error(planned.code ?? '500', call));
    case 'rate-limit':
      return answered(platform.rateLimited(call));
    case 'expire-token':
      platform.expireToken(call);
      return answered(await handle(call));
    case 'ok-with-error':
      return answered({ ...platform.error(planned.code ?? '500', call), status: 200 });
    case 'html':
      return answered(html('<!DOCTYPE html><title>Error</title><h1>Sorry, something went wrong.</h1>'));
    case 'empty':
      return answered({ status: 200, headers: { 'content-type': 'application/json' }, body: '' });
    case 'half-json':
      return answered(halved(reply ?? platform.error('500', call), random));
    case 'redirect':
      return answered({ status: 302, headers: { location: '/_elsewhere' } });
    case 'timeout':
    case 'timeout-after':
      return { kind: 'silent' };
    case 'drop-reply':
    case 'drop-request':
      return { kind: 'closed' };
    case 'huge-body':
      return hugeBody;
    case 'slow-body':
      return slowBody;
    default:
      throw new Error(`unknown fault ${planned.fault}`);
  }
}

export function answered(answer: Answer): Outcome {
  return { kind: 'answer', answer };
}

function halved(answer: Answer, random: Random): Answer {
  const body = answer.body === undefined ? '{}' : bodyText(answer, random);
  return { ...answer, body: body.slice(0, Math.ceil(body.length / 2)) };
}
