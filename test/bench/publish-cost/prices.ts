export const noUsage = {
  writeUnits: 0,
  readUnits: 0,
  apiRequests: 0,
  invocations: 0,
  gigabyteSeconds: 0,
  queueRequests: 0,
  schedules: 0,
  keyCalls: 0,
  objectReads: 0,
  logMegabytes: 0,
};

/** Usage in the units in which AWS bills it. */
export type Usage = Readonly<typeof noUsage>;

/** Dollars per million in us-east-1: AWS's list prices of November 2026, without the free tier. */
const dollarsPerMillion: Readonly<Record<keyof Usage, { readonly label: string; readonly price: number }>> = {
  writeUnits: { label: 'DynamoDB, write request units', price: 0.625 },
  readUnits: { label: 'DynamoDB, read request units', price: 0.125 },
  apiRequests: { label: 'HTTP API, requests', price: 1 },
  invocations: { label: 'Lambda, invocations', price: 0.2 },
  gigabyteSeconds: { label: 'Lambda, GB-s on arm64', price: 13.3334 },
  queueRequests: { label: 'SQS, requests', price: 0.4 },
  schedules: { label: 'Scheduler, invocations', price: 1 },
  keyCalls: { label: 'KMS, calls', price: 3 },
  objectReads: { label: 'S3, GET requests', price: 0.4 },
  // $0.50 per GB that is written, of functions and of API Gateway.
  logMegabytes: { label: 'CloudWatch, MB of logs', price: 500 },
};

export interface CostLine {
  readonly label: string;
  readonly used: number;
  readonly price: number;
  /** The price of a million times the usage. */
  readonly dollars: number;
}

/** Returns the price of a million times this usage, item by item. */
export function costOfMillion(usage: Usage): readonly CostLine[] {
  return (Object.keys(dollarsPerMillion) as (keyof Usage)[]).map((item) => {
    const { label, price } = dollarsPerMillion[item];
    return { label, price, used: usage[item], dollars: usage[item] * price };
  });
}

/** Returns the price in dollars of a thousand times this usage. */
export const dollarsPerThousand = (usage: Usage): number =>
  costOfMillion(usage).reduce((sum, line) => sum + line.dollars, 0) / 1_000;
