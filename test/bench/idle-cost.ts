import { findStage, type Stage } from '../../infra/stages.ts';
import { production, synthesize } from '../infra/support/synthesize.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { type CostOfIdleness, idleCost as linesOf } from './idle-cost/model.ts';

interface Measured {
  readonly stage: Stage;
  readonly boundDollars: number;
  /** Result of an analysis of the same templates before this bench existed, without the secret: us-east-1, list prices. */
  readonly beforeDollars: number;
}

const measured: readonly Measured[] = [
  { stage: findStage('dev'), boundDollars: 4.2, beforeDollars: 12.4 },
  { stage: production, boundDollars: 17, beforeDollars: 12.4 },
];

export const idleCost = defineBench<readonly Measured[]>({
  name: 'idle-cost',
  describe: 'the monthly cost of a deployed stage that nobody uses, computed from its templates',
  sizes: { full: measured, smallest: measured.slice(0, 1) },
  async measure(stages, { progress }) {
    return stages.map(({ stage, ...bounds }) => {
      progress(`synthesizing ${stage.name}`);
      const synthesized = synthesize({ stage });
      synthesized.remove();
      return tableOf(stage, linesOf(Object.values(synthesized.stacks).flat()), bounds);
    });
  },
});

function tableOf(
  { name }: Stage,
  lines: readonly CostOfIdleness[],
  { boundDollars, beforeDollars }: Omit<Measured, 'stage'>,
): BenchTable {
  const listed = lines.reduce((sum, { dollars }) => sum + dollars, 0);
  const free = lines.reduce((sum, { freeDollars }) => sum + freeDollars, 0);
  const total = listed - free;
  const isMet = total <= boundDollars;
  return {
    title: `Stage ${name}: dollars per month while idle`,
    columns: ['what', 'how many', 'each', 'dollars', 'bound', 'met'],
    rows: [
      ...lines.map(({ what, amount, price, dollars }) => [
        what,
        amount.toLocaleString('en'),
        `${price}`,
        dollars.toFixed(2),
        '',
        '',
      ]),
      ['by the price list', '', '', listed.toFixed(2), '', ''],
      ['free in every account and month', '', '', (-free).toFixed(2), '', ''],
      ['on the bill', '', '', total.toFixed(2), `<= ${boundDollars.toFixed(2)}`, verdict(isMet)],
      ['before, by the price list', '', '', beforeDollars.toFixed(2), '', ''],
    ],
    notes: [
      'List prices of us-east-1 in November 2026. Custom metrics have no data while idle, and cost nothing.',
      'Free for ever: 10 metrics of alarms, a million polls, a million runs, 400,000 GB-s and 5 GB of logs. The accounts of an organization share it.',
      'Lambda polls a queue with 5 pollers if its mapping sets a maximum concurrency, and else with as few as 2; each waits 20 s.',
      'Runs of idle sweeps are taken to last 50 ms and to log 1 KB. A key costs $1 more after each of its first two rotations.',
      'Budgets, EventBridge rules, HTTP API, CloudFront, empty tables and buckets, and user pools cost nothing while idle.',
    ],
    bounds: countBounds([isMet]),
  };
}
