import type { Call, SimulatorClock } from './call.ts';
import type { Ledger } from './ledger.ts';

/**
 * Settings of every simulator for the results of the platform's reads. The platforms do not promise how soon a read shows a
 * write, or that a text comes back as it was sent.
 */
export const readSettings = {
  /**
   * All reads show the state of this many seconds ago, but no state before the setting was made; `forever` freezes them. It
   * does not change the answers of calls that write.
   */
  readLagSeconds: 0,
  /** The same lag for lists only. The longer lag counts. */
  listLagSeconds: 0,
  /** True if lists return changed texts: shortened links, collapsed whitespace, and other changes of the platform. */
  changesTexts: false,
  /** The number of newer posts, made outside Herald, that the account's lists show first. */
  otherPosts: 0,
} as const satisfies Record<string, unknown>;

/** The settings that, when set, begin a new lag. */
export const lagSettings = ['readLagSeconds', 'listLagSeconds'];

/**
 * Returns the reason that a value is invalid for one of these settings; undefined if it is valid, or if the setting is another
 * one.
 */
export function readSettingProblem(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(readSettings, name)) return undefined;
  if (name === 'changesTexts')
    return typeof value === 'boolean' ? undefined : `${name} must be true or false`;
  if (lagSettings.includes(name) && value === 'forever') return undefined;
  const isCount = typeof value === 'number' && value >= 0 && Number.isInteger(value);
  return isCount ? undefined : `${name} must be a whole number from 0`;
}

/** The results of the platform's reads. Each operation that reads uses it. */
export interface Reads {
  /** Runs the read of one object on the data that the platform shows now. `read` must not await. */
  ofState<T>(call: Call, read: (call: Call) => T): T;
  /** Runs a read of a list in the same way. */
  ofList<T>(call: Call, read: (call: Call) => T): T;
  /** Returns a text as a list returns it. @param shortener the platform's address of shortened links, such as `https://lnkd.in/` */
  text(text: string, shortener?: string): string;
  /** Returns the account's other posts, newest first. @param make makes a post from its number and its time */
  others<T>(make: (number: number, atMs: number) => T): T[];
}

/** Returns the lag of a read in milliseconds, called at each read. 0 shows the present state. */
export interface ReadLagMs {
  state(call: Call): number;
  list(call: Call): number;
}

interface ReadsParts {
  readonly ledger: Ledger;
  readonly clock: SimulatorClock;
  setting(name: string): unknown;
  /** Replaces the settings of lags. */
  readonly lagMs?: ReadLagMs;
}

/** @returns the reads, and `begin`, to be called when a lag setting has changed */
export function openReads({ ledger, clock, setting, lagMs }: ReadsParts): Reads & { begin(): void } {
  const begun = ledger.records<number>('lag-begun');
  const isLagging = () => lagMs !== undefined || lagSettings.some((name) => setting(name) !== 0);
  ledger.history.isKept = isLagging();

  /** Returns the longest of the settings, in milliseconds. */
  function settingMs(...names: readonly string[]): number {
    const msOf = (lag: unknown) => (lag === 'forever' ? Infinity : Number(lag) * 1000);
    return Math.max(...names.map((name) => msOf(setting(name))));
  }

  function lagged<T>(ms: number, call: Call, read: (call: Call) => T): T {
    if (ms === 0) return read(call);
    const beganMs = lagMs === undefined ? (begun.get('') ?? 0) : 0;
    const laggedMs = call.at - ms;
    const shownMs = Math.max(beganMs, laggedMs);
    // The view includes writes of the shown millisecond, unless the setting was made in it: those writes came after the setting.
    const viewMs = laggedMs >= beganMs ? laggedMs + 0.5 : beganMs;
    return ledger.asOf(viewMs, () => read({ ...call, at: shownMs }));
  }

  return {
    begin() {
      if (lagMs !== undefined) return;
      ledger.history.isKept = isLagging();
      ledger.history.clear();
      begun.put('', clock.now());
    },
    ofState: (call, read) => lagged(lagMs?.state(call) ?? settingMs('readLagSeconds'), call, read),
    ofList: (call, read) =>
      lagged(lagMs?.list(call) ?? settingMs('readLagSeconds', 'listLagSeconds'), call, read),
    text(text, shortener = 'https://l.facebook.com/') {
      if (setting('changesTexts') !== true) return text;
      const shorten = (url: string) => `${shortener}${Buffer.from(url).toString('base64url').slice(-7)}`;
      return text
        .replaceAll(/https?:\/\/\S+/g, shorten)
        .replaceAll(/\s+/g, ' ')
        .trim();
    },
    others(make) {
      const count = Number(setting('otherPosts'));
      return Array.from({ length: count }, (_, index) => make(count - index, clock.now()));
    },
  };
}
