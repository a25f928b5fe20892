import { type AwsCall, AwsCallError } from '../aws/json-client.ts';
import { backoffMs, sleep } from '../kernel/retry.ts';
import { clicksKey, type Key, linkKey } from '../table/keys.ts';

/** What the redirect logs, and what operators' alarms look for. */
export const linkUnreadable = 'the link could not be read';
export const clickLost = 'a click was not counted';

/** Each shard is an item, and an item takes 1,000 writes a second: 5,000 clicks a second are half of what ten take. */
export const clickShards = 10;

export interface LinkTableOptions {
  readonly tableName: string;
  readonly call: AwsCall;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

/** What following a link takes. */
export interface LinkStore {
  /**
   * Where a link leads; `undefined` for a code that nobody has. Whatever failed in passing is tried again.
   *
   * @param budgetMs for all attempts together
   * @throws AwsCallError
   */
  readDestination(code: string, budgetMs: number): Promise<string | undefined>;
  /**
   * Adds a click to one of the link's counters of that day. What may have been counted is not tried again, so that a
   * click never counts twice; what was throttled is, in another shard.
   *
   * @param day as `YYYY-MM-DD`, in UTC
   * @param budgetMs for all attempts together
   * @throws AwsCallError where the click is lost
   */
  countClick(code: string, day: string, budgetMs: number): Promise<void>;
}

/** That on the table, on the wire itself: it goes without the SDK. */
export class LinkTable implements LinkStore {
  readonly #tableName: string;
  readonly #call: AwsCall;
  readonly #random: () => number;

  constructor({ tableName, call, random }: LinkTableOptions) {
    this.#tableName = tableName;
    this.#call = call;
    this.#random = random;
  }

  async readDestination(code: string, budgetMs: number): Promise<string | undefined> {
    const answer = await this.#within(budgetMs, readRetries, (_attempt, leftMs) =>
      this.#call(
        'GetItem',
        { TableName: this.#tableName, Key: onWire(linkKey(code)), ProjectionExpression: '#url', ...urlName },
        Math.min(leftMs, readRetries.attemptMs),
      ),
    );
    const item = answer['Item'] as { url?: { S?: string } } | undefined;
    return item?.url?.S;
  }

  async countClick(code: string, day: string, budgetMs: number): Promise<void> {
    const first = Math.floor(this.#random() * clickShards);
    // Coprime to the number of shards: no attempt meets the shard of an earlier one.
    const step = [1, 3, 7, 9][Math.floor(this.#random() * 4)] ?? 1;
    await this.#within(budgetMs, countRetries, (attempt, leftMs) =>
      this.#call(
        'UpdateItem',
        {
          TableName: this.#tableName,
          Key: onWire(clicksKey(code, day, (first + (attempt - 1) * step) % clickShards)),
          UpdateExpression: 'SET kind = :kind ADD clicks :one',
          ExpressionAttributeValues: { ':kind': { S: 'clicks' }, ':one': { N: '1' } },
        },
        leftMs,
      ),
    );
  }

  async #within<Answer>(
    budgetMs: number,
    retries: Retries,
    call: (attempt: number, leftMs: number) => Promise<Answer>,
  ): Promise<Answer> {
    const endsAt = performance.now() + budgetMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call(attempt, endsAt - performance.now());
      } catch (error) {
        if (!(error instanceof AwsCallError) || !retries.of.includes(error.failure)) throw error;
        const waitMs = backoffMs(attempt, retries, this.#random());
        if (attempt === retries.attempts || performance.now() + waitMs >= endsAt) throw error;
        await sleep(waitMs);
      }
    }
  }
}

interface Retries {
  readonly of: readonly AwsCallError['failure'][];
  readonly attempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

const readRetries = {
  of: ['throttled', 'unreachable', 'unclear'],
  attempts: 3,
  attemptMs: 1_000,
  baseMs: 25,
  capMs: 200,
} as const satisfies Retries & { attemptMs: number };

/** Where every twentieth write is throttled, four attempts lose one click in 160,000; two would lose one in 400. */
const countRetries = {
  of: ['throttled', 'unreachable'],
  attempts: 4,
  baseMs: 5,
  capMs: 20,
} as const satisfies Retries;

/** `url` is a reserved word there. */
const urlName = { ExpressionAttributeNames: { '#url': 'url' } };

const onWire = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });
