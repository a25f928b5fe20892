import { json, Refusal } from './answers.ts';
import type { Background } from './background.ts';
import { type FaultBook, faultProblem } from './faults.ts';
import type { Ledger } from './ledger.ts';
import { operation, operationNames } from './router.ts';
import type { Answer, Operation, Platform } from './types.ts';

/** Named values that a test may override. Overrides survive a restart. */
export interface Overrides<T> {
  get(name: string): T;
  all(): Readonly<Record<string, T>>;
  /** @returns the problem with the changes, or undefined if all of them were made */
  set(changes: Readonly<Record<string, unknown>>): string | undefined;
}

/**
 * Opens the overrides.
 *
 * @param defaults every valid name with its default value
 * @param accepts returns true if a value may be set
 */
export function openOverrides<T>(
  ledger: Ledger,
  kind: string,
  defaults: Readonly<Record<string, T>>,
  accepts: (value: unknown, name: string) => value is T,
): Overrides<T> {
  const stored = ledger.records<T>(kind);
  const get = (name: string): T => {
    const usual = defaults[name];
    if (!Object.hasOwn(defaults, name) || usual === undefined) throw new Error(`unknown ${kind} ${name}`);
    return stored.get(name) ?? usual;
  };
  return {
    get,
    all: () => Object.fromEntries(Object.keys(defaults).map((name) => [name, get(name)])),
    set(changes) {
      const entries: [string, T][] = [];
      for (const [name, value] of Object.entries(changes)) {
        if (!Object.hasOwn(defaults, name)) {
          return `unknown ${kind} ${name}; use one of ${Object.keys(defaults).join(', ')}`;
        }
        if (!accepts(value, name)) return `invalid value for the ${kind} ${name}`;
        entries.push([name, value]);
      }
      for (const [name, value] of entries) stored.put(name, value);
      return undefined;
    },
  };
}

export interface ControlParts {
  readonly platform: Platform;
  readonly ledger: Ledger;
  readonly background: Background;
  readonly faults: FaultBook;
  readonly limits: Overrides<number>;
  readonly settings: Overrides<unknown>;
}

/** Returns the operations of the control address: read posts and requests, plan faults, change limits and settings. */
export function controlOperations({
  platform,
  ledger,
  background,
  faults,
  limits,
  settings,
}: ControlParts): Operation[] {
  const faultNames = [...operationNames(platform.operations), ...(platform.steps ?? []), '*'];

  const planFault = (fields: Readonly<Record<string, unknown>>): Answer => {
    const { match, fault, times = 1 } = fields;
    if (typeof match !== 'string' || !faultNames.includes(match)) {
      return refuseControl(`match must be one of ${[...new Set(faultNames)].join(', ')}`);
    }
    if (typeof fault !== 'string') return refuseControl('fault must be a string');
    const problem = faultProblem(fault);
    if (problem !== undefined) return refuseControl(problem);
    if (typeof times !== 'number' || !Number.isInteger(times) || times < 1) {
      return refuseControl('times must be a whole number from 1');
    }
    faults.plan({ match, fault, times });
    return json({ ok: true }, 201);
  };

  const change = (overrides: Overrides<unknown>, fields: Readonly<Record<string, unknown>>): Answer => {
    const problem = overrides.set(fields);
    return problem === undefined ? json(overrides.all()) : refuseControl(problem);
  };

  return [
    operation('posts', 'GET', '_control/posts', () => json(ledger.posts.list())),
    operation('requests', 'GET', '_control/requests', ({ query }) => {
      const after = query.get('after') ?? '0';
      if (!/^\d{1,15}$/.test(after)) refuseControl('after must be the number of a request');
      return json(ledger.requests.list(Number(after)));
    }),
    operation('idle', 'GET', '_control/idle', async () => {
      await background.idle();
      return json({});
    }),
    operation('accounts', 'GET', '_control/accounts', () => json(platform.accounts())),
    operation('faults', 'GET', '_control/faults', () => json(faults.list())),
    operation('faults', 'POST', '_control/faults', ({ fields }) => planFault(fields)),
    operation('faults', 'DELETE', '_control/faults', () => {
      faults.clear();
      return json({ ok: true });
    }),
    operation('limits', 'GET', '_control/limits', () => json(limits.all())),
    operation('limits', 'PUT', '_control/limits', ({ fields }) => change(limits, fields)),
    operation('settings', 'GET', '_control/settings', () => json(settings.all())),
    operation('settings', 'PUT', '_control/settings', ({ fields }) => change(settings, fields)),
    ...(platform.controls ?? []),
  ];
}

/** Refuses a call of the control address. @throws Refusal with 400 */
export function refuseControl(error: string): never {
  throw new Refusal(json({ error }, 400));
}
