import * as z from 'zod';
import { type Clock, minuteMs, secondMs } from '../../../kernel/clock.ts';
import type { PlatformHttp, PlatformResponse } from '../../contract/http.ts';

/** The usage from which calls slow down. At 100 Meta refuses every call, also those that make posts live. */
const slowFromPercent = 90;
const fullPercent = 100;
/** The wait before a call at 90 and at 100 per cent. Our judgement: a preparation has at most a few dozen calls. */
const shortestWaitMs = secondMs;
const longestWaitMs = 3 * secondMs;
/** The time for which a report counts without a newer response. Usage is a share of a rolling hour. */
const reportLastsMs = 10 * minuteMs;
/** The number of tokens with a kept report. */
const maxReports = 1_000;

interface PacePorts {
  readonly now: Clock;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** The usage that a response reports, in per cent: the highest figure of the app, and of the token's account. */
interface Usage {
  readonly app: number | undefined;
  readonly account: number | undefined;
}

/**
 * Slows calls down once responses report that 90 per cent of Meta's limits are used, for the whole app or for the account
 * of the call's token. A last call never waits: the remaining calls are saved for it. Other platforms send no such headers.
 */
export function pacedHttp(http: PlatformHttp, { now, sleep }: PacePorts): PlatformHttp {
  /** The latest report for the app (under `app`) and for each token, oldest first. */
  const reports = new Map<string, { readonly percent: number; readonly untilMs: number }>();
  const note = (key: string, percent: number) => {
    reports.delete(key);
    if (percent >= slowFromPercent) reports.set(key, { percent, untilMs: now() + reportLastsMs });
    const [oldest] = reports.keys();
    if (reports.size > maxReports && oldest !== undefined) reports.delete(oldest);
  };
  const percentOf = (key: string): number => {
    const report = reports.get(key);
    return report && report.untilMs > now() ? report.percent : 0;
  };
  return {
    addressOf: (url) => http.addressOf(url),
    connectAhead: (url) => http.connectAhead(url),
    async send(request) {
      const token = request.bearer === undefined ? undefined : `token ${request.bearer}`;
      if (!request.isLastCall) {
        const waitMs = paceMs(Math.max(percentOf('app'), token === undefined ? 0 : percentOf(token)));
        if (waitMs > 0) await sleep(waitMs);
      }
      const response = await http.send(request);
      const { app, account } = readUsage(response);
      if (app !== undefined) note('app', app);
      if (account !== undefined && token !== undefined) note(token, account);
      return response;
    },
  };
}

/** Returns the wait before a call at this percentage, in milliseconds. */
function paceMs(percent: number): number {
  if (percent < slowFromPercent) return 0;
  const share = Math.min(1, (percent - slowFromPercent) / (fullPercent - slowFromPercent));
  return shortestWaitMs + share * (longestWaitMs - shortestWaitMs);
}

const Figures = z
  .object({
    call_count: z.number().catch(0),
    total_time: z.number().catch(0),
    total_cputime: z.number().catch(0),
  })
  .transform((figures) => Math.max(...Object.values(figures)));
const ByBusiness = z
  .record(z.string(), z.array(Figures))
  .transform((businesses) => Math.max(0, ...Object.values(businesses).flat()));

/**
 * Reads the percentages that Meta sends with every response
 * (https://developers.facebook.com/docs/graph-api/overview/rate-limiting#headers).
 */
function readUsage({ headers }: PlatformResponse): Usage {
  return {
    app: Figures.safeParse(parseHeader(headers['x-app-usage'])).data,
    account: ByBusiness.safeParse(parseHeader(headers['x-business-use-case-usage'])).data,
  };
}

function parseHeader(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
