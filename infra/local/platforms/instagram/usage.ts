import { Refusal } from '../kit/answers.ts';
import type { Answer, Call, Workbench } from '../kit/types.ts';
import { graphError } from './errors.ts';
import { tokenOf } from './sessions.ts';
import type { State } from './state.ts';

/** The rate limit of an hour and the headers that tell how much of it is used. */
export interface Usage {
  /** Counts a call; refuses with code 4 above the limit `callsPerHour`. */
  count(call: Call): void;
  headers(call: Call): Record<string, string>;
  limited(call: Call): Answer;
}

const hourMilliseconds = 3_600_000;

export function openUsage(workbench: Workbench, state: State): Usage {
  const counts = workbench.ledger.records<number>('usage');
  const hourOf = (call: Call) => String(Math.floor(call.at / hourMilliseconds));

  function headersAt(call: Call, percent: number, regainMinutes: number): Record<string, string> {
    const figures = { call_count: percent, total_cputime: percent, total_time: percent };
    const account = state.tokens.get(tokenOf(call) ?? '')?.igId;
    const useCase = { type: 'instagram', ...figures, estimated_time_to_regain_access: regainMinutes };
    return {
      'x-app-usage': JSON.stringify(figures),
      ...(account !== undefined && {
        'x-business-use-case-usage': JSON.stringify({ [account]: [useCase] }),
      }),
    };
  }

  function limited(call: Call): Answer {
    const answer = graphError('4');
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
      if (call.host !== 'graph.instagram.com') return {};
      const share = (counts.get(hourOf(call)) ?? 0) / workbench.limit('callsPerHour');
      return headersAt(call, Math.min(100, Math.floor(share * 100)), 0);
    },
    limited,
  };
}
