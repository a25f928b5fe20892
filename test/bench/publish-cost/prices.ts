/** What was used, in the units in which AWS bills it. */
export interface Usage {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly apiRequests: number;
  readonly invocations: number;
  readonly gigabyteSeconds: number;
  readonly queueRequests: number;
  readonly schedules: number;
  readonly keyCalls: number;
  readonly objectReads: number;
}

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
