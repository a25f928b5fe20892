/** What was used, in the units in which AWS asks money for it. */
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

/** Dollars for a million, in us-east-1, as listed publicly in November 2026, beyond what is free. */
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
  /** Of as many posts as one usage is, times a million. */
  readonly dollars: number;
}

/** What a million times this usage costs, item by item. */
export function costOfMillion(usage: Usage): readonly CostLine[] {
  return (Object.keys(dollarsPerMillion) as (keyof Usage)[]).map((item) => {
    const { label, price } = dollarsPerMillion[item];
    return { label, price, used: usage[item], dollars: usage[item] * price };
  });
}
