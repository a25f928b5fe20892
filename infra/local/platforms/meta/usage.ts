import { Refusal } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer, Workbench } from '../kit/types.ts';
import { graphErrorAnswer } from './graph-errors.ts';

/** The hourly rate limit, and the headers that report how much of it is used. */
export interface Usage {
  /** Counts a call. @throws Refusal with code 4 above the limit `callsPerHour` */
  count(call: Call): void;
  headers(call: Call): Record<string, string>;
  limited(call: Call): Answer;
}

export interface UsageOptions {
  /** The hosts whose answers have usage headers, such as `graph.instagram.com`. */
  readonly hosts: readonly string[];
  /** The `type` of the business use case in the header. */
  readonly useCase: string;
  /** Returns the id of a call's account, or undefined if the call has no known token. */
  readonly accountOf: (call: Call) => string | undefined;
}

const hourMilliseconds = 3_600_000;

/** Counts the calls of each clock hour in the ledger. */
export function openUsage(workbench: Workbench, { hosts, useCase: type, accountOf }: UsageOptions): Usage {
  const counts = workbench.ledger.records<number>('usage');
  const hourOf = (call: Call) => String(Math.floor(call.at / hourMilliseconds));

  function headersAt(call: Call, percent: number, regainMinutes: number): Record<string, string> {
    const figures = { call_count: percent, total_cputime: percent, total_time: percent };
    const account = accountOf(call);
    const useCase = { type, ...figures, estimated_time_to_regain_access: regainMinutes };
    return {
      'x-app-usage': JSON.stringify(figures),
      ...(account !== undefined && {
        'x-business-use-case-usage': JSON.stringify({ [account]: [useCase] }),
      }),
    };
  }

  function limited(call: Call): Answer {
    const answer = graphErrorAnswer('4', { message: '(#4) Application request limit reached' });
    const regainMinutes = Number(workbench.setting('regainAccessMinutes'));
    return { ...answer, headers: { ...answer.headers, ...headersAt(call, 100, regainMinutes) } };
  }

  return {
    count(call) {
      const calls = (counts.get(hourOf(call)) ?? 0) + 1;
      if (calls > workbench.limit('callsPerHour')) throw new Refusal(limited(call));
      counts.put(hourOf(call), calls);
    },
    headers(call) {
      if (!hosts.includes(call.host)) return {};
      const share = (counts.get(hourOf(call)) ?? 0) / workbench.limit('callsPerHour');
      return headersAt(call, Math.min(100, Math.floor(share * 100)), 0);
    },
    limited,
  };
}
