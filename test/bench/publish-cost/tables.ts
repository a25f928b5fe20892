import { type BenchTable, countBounds, verdict } from '../bench.ts';
import { type EngineBounds, eventFeedBudget, featureBudgets, type MeasuredPost } from './posts.ts';
import { costOfMillion, dollarsPerThousand, noUsage, type Usage } from './prices.ts';
import type { Recording } from './recorder.ts';
import { type Feature, features, type Purpose } from './shares.ts';

export interface Measured {
  readonly post: MeasuredPost;
  readonly recording: Recording;
}

const noBounds = { met: 0, missed: 0 };

const usedFor = ({ recording }: Measured, purpose: Purpose): Usage => recording.usage.get(purpose) ?? noUsage;

function totalUsage({ recording }: Measured): Usage {
  const sum = { ...noUsage };
  for (const usage of recording.usage.values())
    for (const [item, used] of Object.entries(usage)) sum[item as keyof Usage] += used;
  return sum;
}

const figures: readonly {
  readonly bound: keyof EngineBounds;
  readonly label: string;
  of(usage: Usage): number;
}[] = [
  { bound: 'dollarsPerThousand', label: '$ per thousand', of: dollarsPerThousand },
  { bound: 'writeUnits', label: 'write request units', of: ({ writeUnits }) => writeUnits },
  { bound: 'readUnits', label: 'read request units', of: ({ readUnits }) => readUnits },
  { bound: 'invocations', label: 'Lambda invocations', of: ({ invocations }) => invocations },
];

/** Returns the engine's usage for each post, next to its bounds. */
export function engineTable(measured: readonly Measured[]): BenchTable {
  const lines = measured.flatMap((each) =>
    figures.flatMap(({ bound, label, of }) => {
      const most = each.post.bounds?.[bound];
      const used = of(usedFor(each, 'engine'));
      return most === undefined ? [] : [{ post: each.post, label, used, most, isMet: used <= most }];
    }),
  );
  return {
    title: 'The engine: one post with 3 targets, from create to all live',
    columns: ['post', 'targets', 'figure', 'used', 'bound', 'met'],
    rows: lines.map(({ post, label, used, most, isMet }) => [
      post.name,
      post.platforms.join(', '),
      label,
      String(Number(used.toFixed(3))),
      String(most),
      verdict(isMet),
    ]),
    notes: [
      'List prices of us-east-1, November 2026, without the free tier and traffic (media go to the platforms through',
      'CloudFront). Functions are warm. Functions that run periodically even without posts are not counted. Features that were',
      'added to the engine have their own lines and budgets below.',
    ],
    bounds: countBounds(lines.map(({ isMet }) => isMet)),
  };
}

/** Returns the usage of each feature, next to its budget, and the sum of all. */
export function featuresTable(measured: readonly Measured[]): BenchTable {
  const unitsOf = ({ writeUnits, readUnits, invocations }: Usage) =>
    `${writeUnits} / ${readUnits} / ${invocations}`;
  const cells = (usages: readonly Usage[]) =>
    usages.flatMap((usage) => [unitsOf(usage), dollarsPerThousand(usage).toFixed(4)]);
  // These posts never expire.
  const shown = (Object.keys(features) as Feature[]).filter((feature) => feature !== 'retention');
  const lines = shown.map((feature) => {
    const usages = measured.map((each) => usedFor(each, feature));
    const budget = featureBudgets[feature];
    const isMet = usages.every((usage) => dollarsPerThousand(usage) <= budget);
    return { label: features[feature], usages, budget, isMet };
  });
  return {
    title: 'Features, and the sum: WRU / RRU / invocations, and $ per thousand posts',
    columns: [
      'part',
      ...measured.flatMap(({ post }) => [`${post.name}: units`, `${post.name}: $`]),
      'budget: $',
      'met',
    ],
    rows: [
      ['engine', ...cells(measured.map((each) => usedFor(each, 'engine'))), '', ''],
      ...lines.map(({ label, usages, budget, isMet }) => [
        label,
        ...cells(usages),
        budget.toFixed(4),
        verdict(isMet),
      ]),
      ['sum', ...cells(measured.map(totalUsage)), '', ''],
    ],
    notes: [],
    bounds: countBounds(lines.map(({ isMet }) => isMet)),
  };
}

export function priceTable(measured: readonly Measured[]): BenchTable {
  const columns = measured.map((each) => costOfMillion(totalUsage(each)));
  const [first = []] = columns;
  return {
    title: 'Usage per post with all features, and the price of a million posts',
    columns: [
      'used',
      '$ per million',
      ...measured.flatMap(({ post }) => [`${post.name}: used`, `${post.name}: $`]),
    ],
    rows: first.map(({ label, price }, index) => [
      label,
      String(price),
      ...columns.flatMap((lines) => {
        const line = lines[index];
        return line ? [String(Number(line.used.toFixed(3))), line.dollars.toFixed(2)] : [];
      }),
    ]),
    notes: [
      "Lambda's time is measured on this machine and includes waiting for the due second. If targets are due in the same",
      'second, one function may wait for several of them; how often is random, here and in AWS.',
    ],
    bounds: noBounds,
  };
}

/** Returns the usage of the table's units by purpose. */
export function unitsTable(measured: readonly Measured[]): BenchTable {
  const names = [...new Set(measured.flatMap(({ recording }) => [...recording.units.keys()]))].sort();
  return {
    title: 'Units of the table by function, request and item: WRU / RRU per post',
    columns: ['function', 'request', 'item', 'part', ...measured.map(({ post }) => post.name)],
    rows: names.map((name) => {
      const [functionName = '', action = '', ...item] = name.split(' ');
      const purpose = measured.flatMap(({ recording }) => recording.units.get(name)?.purpose ?? [])[0] ?? '';
      const used = measured.map(({ recording }) => recording.units.get(name));
      return [
        functionName,
        action,
        item.join(' '),
        purpose,
        ...used.map((units) => (units ? `${units.writeUnits} / ${units.readUnits}` : '')),
      ];
    }),
    notes: [],
    bounds: noBounds,
  };
}

/** Returns Lambda's time by function. */
export function functionsTable(measured: readonly Measured[]): BenchTable {
  const names = [...new Set(measured.flatMap(({ recording }) => [...recording.functions.keys()]))].sort();
  return {
    title: 'Lambda by function: invocations, and GB-s per post',
    columns: ['function', ...measured.map(({ post }) => post.name)],
    rows: names.map((name) => [
      name,
      ...measured.map(({ recording }) => {
        const use = recording.functions.get(name);
        return use ? `${use.invocations}, ${use.gigabyteSeconds.toFixed(2)}` : '';
      }),
    ]),
    notes: [],
    bounds: noBounds,
  };
}

export function callsTable(measured: readonly Measured[]): BenchTable {
  const names = [...new Set(measured.flatMap(({ recording }) => [...recording.calls.keys()]))].sort();
  return {
    title: 'AWS calls per post',
    columns: ['function', 'service', 'action', ...measured.map(({ post }) => post.name)],
    rows: names.map((name) => [
      ...name.split(' '),
      ...measured.map(({ recording }) => String(recording.calls.get(name) ?? '')),
    ]),
    notes: [],
    bounds: noBounds,
  };
}

/**
 * Shows the cost of retention: the roll-up of a post that has settled gives each of its items the post's time of expiry.
 *
 * @param kept posts on a stage whose posts expire
 */
export function retentionTable(kept: readonly Measured[]): BenchTable {
  const lines = kept.map((each) => {
    const usage = usedFor(each, 'retention');
    const dollars = dollarsPerThousand(usage);
    return { each, usage, dollars, isMet: usage.writeUnits > 0 && dollars <= featureBudgets.retention };
  });
  return {
    title: 'With retention of posts: the updates that let the items of a post expire',
    columns: ['post', 'WRU', 'WRU of the post with all features', '$ per thousand', 'budget: $', 'met'],
    rows: lines.map(({ each, usage, dollars, isMet }) => [
      each.post.name,
      String(usage.writeUnits),
      String(totalUsage(each).writeUnits),
      dollars.toFixed(4),
      featureBudgets.retention.toFixed(4),
      verdict(isMet),
    ]),
    notes: [],
    bounds: countBounds(lines.map(({ isMet }) => isMet)),
  };
}

/**
 * Compares the units of the table that `announce` uses for a post with text without the event feed and with it.
 *
 * @param fed posts of a workspace whose feed is on
 */
export function eventFeedTable(without: readonly Measured[], fed: readonly Measured[]): BenchTable {
  const lines = fed.flatMap((each) => {
    const plain = without.find(({ post }) => post.name === each.post.name);
    if (plain === undefined) return [];
    const [before, after] = [usedFor(plain, 'webhooks'), usedFor(each, 'webhooks')];
    const dollars = dollarsPerThousand({
      ...noUsage,
      writeUnits: after.writeUnits - before.writeUnits,
      readUnits: after.readUnits - before.readUnits,
    });
    const isMet = after.writeUnits > 0 && dollars <= eventFeedBudget;
    return [{ post: each.post, before, after, dollars, isMet }];
  });
  const cells = ({ writeUnits, readUnits }: Usage) => `${writeUnits} / ${readUnits}`;
  return {
    title: 'With the event feed: WRU / RRU of `announce` per post, and what it adds in $ per thousand posts',
    columns: ['post', 'without', 'with', 'added: $', 'budget: $', 'met'],
    rows: lines.map(({ post, before, after, dollars, isMet }) => [
      post.name,
      cells(before),
      cells(after),
      dollars.toFixed(4),
      eventFeedBudget.toFixed(4),
      verdict(isMet),
    ]),
    notes: [],
    bounds: countBounds(lines.map(({ isMet }) => isMet)),
  };
}
