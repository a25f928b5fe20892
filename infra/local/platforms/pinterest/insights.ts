import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { daysBetween } from '../kit/numbers.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse } from './errors.ts';
import type { Gate } from './gate.ts';
import type { State } from './state.ts';

const summed = ['IMPRESSION', 'SAVE', 'PIN_CLICK', 'OUTBOUND_CLICK', 'ENGAGEMENT'];
const lifetimeOnly = ['TOTAL_COMMENTS', 'TOTAL_REACTIONS'];
const dayMs = 86_400_000;
const mostPins = 100;
const mostDays = 90;

/** https://developers.pinterest.com/docs/api/v5/multi_pins-analytics and .../user_account-analytics */
export function insightsOperations({ numbers, reads }: Workbench, state: State, gate: Gate): Operation[] {
  function period({ query, at }: Call) {
    const [start, end] = ['start_date', 'end_date'].map((name) => Date.parse(query.get(name) ?? ''));
    if (start === undefined || end === undefined || !(start <= end)) return refuse('400/1', 'dates');
    if (start < at - (mostDays + 1) * dayMs)
      return refuse('400/1', 'start_date cannot be more than 90 days back from today');
    return daysBetween(start, end + dayMs);
  }

  function metricsOf({ query }: Call, known: readonly string[]): string[] {
    const asked = (query.get('metric_types') ?? '').split(',');
    return asked.every((name) => known.includes(name)) ? asked : refuse('400/1', 'metric_types');
  }

  /** Leaves out Pins that do not exist or are another user's. */
  function pins(call: Call): Answer {
    const { username } = gate.checkCall(call, 'read', ['boards:read', 'pins:read']);
    if (numbers.isRefused) return refuse('403/29');
    const metrics = metricsOf(call, [...summed, ...lifetimeOnly]);
    period(call);
    const ids = call.query.getAll('pin_ids');
    if (ids.length > mostPins) return refuse('400/1', 'pin_ids');
    return reads.ofState(call, ({ at }) => {
      const found = ids.flatMap((id) => {
        const pin = state.pins.get(id);
        if (pin?.username !== username) return [];
        const of = (names: readonly string[]) =>
          Object.fromEntries(names.map((name) => [name, numbers.total(id, name, pin.createdAt, at)]));
        const all = {
          summary_metrics: of(metrics.filter((name) => summed.includes(name))),
          lifetime_metrics: of(metrics.filter((name) => lifetimeOnly.includes(name))),
          daily_metrics: [],
        };
        return [[id, { all }] as const];
      });
      return json(Object.fromEntries(found));
    });
  }

  function account(call: Call): Answer {
    const { username } = gate.checkCall(call, 'read', ['user_accounts:read']);
    if (numbers.isRefused) return refuse('403/29');
    const metrics = metricsOf(call, summed);
    const daily_metrics = period(call).map((date) => {
      const entries = metrics.map((name) => [name, numbers.ofDay(username, name, date, call.at)] as const);
      const isReady = entries.every(([, value]) => value !== undefined);
      return { date, data_status: isReady ? 'READY' : 'PROCESSING', metrics: Object.fromEntries(entries) };
    });
    return json({ all: { daily_metrics, summary_metrics: {} } });
  }

  const api = 'api.pinterest.com/v5';
  return [
    operation('pins.analytics', 'GET', `${api}/pins/analytics`, pins),
    operation('user_account.analytics', 'GET', `${api}/user_account/analytics`, account),
  ];
}
