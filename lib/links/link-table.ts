import { type AwsCall, AwsCallError } from '../aws/json-client.ts';
import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { backoffMs } from '../kernel/retry.ts';
import { clicksKey, type Key, linkKey } from '../table/keys.ts';
import { quarterAttribute, quarterMs } from './quarters.ts';

/** The messages that the redirect logs. Alarms match on them. */
export const linkUnreadable = 'the link could not be read';
export const clickLost = 'a click was not counted';

/**
 * The number of counters per link and day. Each shard is one item, and an item allows 1,000 writes per second, so ten
 * shards allow 10,000 clicks per second.
 */
export const clickShards = 10;

export interface LinkTableOptions {
  readonly tableName: string;
  readonly call: AwsCall;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  /** Waits before another attempt. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** The reads and writes for following a link. */
export interface LinkStore {
  /**
   * Returns a link's destination; `undefined` if the code is unknown. Retries temporary failures.
   *
   * @param budgetMs the time for all attempts together
   * @throws AwsCallError
   */
  readDestination(code: string, budgetMs: number): Promise<string | undefined>;
  /**
   * Adds a click to one of the link's counters of its day, and to the one of its quarter of an hour. Retries throttled and
   * unsent writes, each time in another shard. Does not retry a write that may have been counted, so that no click counts twice.
   *
   * @param atMs epoch milliseconds
   * @param budgetMs the time for all attempts together
   * @throws AwsCallError if the click is lost
   */
  countClick(code: string, atMs: number, budgetMs: number): Promise<void>;
}

/** The links of the table. Builds DynamoDB's wire format itself, because the redirect does not load the SDK. */
export class LinkTable implements LinkStore {
  readonly #tableName: string;
  readonly #call: AwsCall;
  readonly #random: () => number;
  readonly #sleep: LinkTableOptions['sleep'];

  constructor({ tableName, call, random, sleep }: LinkTableOptions) {
    this.#tableName = tableName;
    this.#call = call;
    this.#random = random;
    this.#sleep = sleep;
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

  async countClick(code: string, atMs: number, budgetMs: number): Promise<void> {
    const day = toTimestamp(atMs).slice(0, 10);
    const first = Math.floor(this.#random() * clickShards);
    // Coprime to the number of shards, so each attempt uses a new shard.
    const step = [1, 3, 7, 9][Math.floor(this.#random() * 4)] ?? 1;
    await this.#within(budgetMs, countRetries, (attempt, leftMs) =>
      this.#call(
        'UpdateItem',
        {
          TableName: this.#tableName,
          Key: onWire(clicksKey(code, day, (first + (attempt - 1) * step) % clickShards)),
          UpdateExpression: 'SET kind = :kind ADD clicks :one, #quarter :one',
          ExpressionAttributeNames: { '#quarter': quarterAttribute(Math.floor((atMs % dayMs) / quarterMs)) },
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
        await this.#sleep(waitMs);
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

/**
 * The retries of a count. If one write in twenty is throttled, four attempts lose one click in 160,000; two would
 * lose one in 400.
 */
const countRetries = {
  of: ['throttled', 'unreachable'],
  attempts: 4,
  baseMs: 5,
  capMs: 20,
} as const satisfies Retries;

/** The placeholder for `url`, a reserved word in DynamoDB's expressions. */
const urlName = { ExpressionAttributeNames: { '#url': 'url' } };

const onWire = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });
