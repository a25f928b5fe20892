/** Passes a queue's messages to a function: Lambda's event source mapping for SQS. */
import type { MessageAttribute, QueueMessage } from '../engines/types.ts';
import type { EventSourceResource } from '../model.ts';
import type { InvokeOutcome } from '../runtime/execution-environment.ts';
import { invocationsIn } from '../runtime/lineage.ts';
import { throttledError } from '../runtime/messages.ts';
import { failedRecords } from './batch-outcome.ts';
import { passesFilters, queueRecordForFilter } from './event-filter.ts';
import { type EventSource, gatherBatch, pause, type SourceSurroundings } from './source.ts';

/** The maximum number of messages that one ReceiveMessage returns. */
const receiveLimit = 10;
const pauseAfterErrorMs = 1_000;
/** The waits after which a throttled batch is tried again. Then its messages wait for their visibility timeout. */
const throttledWaitsMs = [1_000, 2_000, 4_000, 8_000];

/**
 * Polls the queue and invokes the function with up to `concurrency` batches concurrently. Deletes handled messages and those that
 * no filter matches. The others are visible again after their visibility timeout.
 *
 * @param concurrency the maximum number of concurrent batches. A message received beyond that would only wait while hidden.
 */
export function startQueueSource(
  mapping: EventSourceResource,
  concurrency: number,
  { clock, region, queues, invoke, log }: SourceSurroundings,
): EventSource {
  const { sourceArn, functionArn, filters, reportsBatchItemFailures } = mapping;
  const limit = Math.min(concurrency, mapping.maximumConcurrency ?? concurrency);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();

  async function deliver(messages: readonly QueueMessage[]): Promise<void> {
    const records = messages.map((message) => toRecord(message, sourceArn, region));
    const traceHeader = longestLineage(messages, functionArn);
    const outcome = await invokeWithBackoff(
      { Records: records },
      traceHeader === undefined ? {} : { traceHeader },
    );
    const identifiers = messages.map(({ messageId }) => messageId);
    const failed = failedRecords(outcome, reportsBatchItemFailures, identifiers);
    if (failed === 'all') return;
    remove(messages.filter(({ messageId }) => !failed.has(messageId)));
  }

  function remove(messages: readonly QueueMessage[]): void {
    if (messages.length === 0) return;
    queues.commitTogether(() => {
      for (const { receiptHandle } of messages) queues.delete(sourceArn, receiptHandle);
    });
  }

  /**
   * Invokes the function, again after pauses if it is throttled.
   * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-backoff-strategy
   */
  async function invokeWithBackoff(
    ...event: readonly [event: object, options: object]
  ): Promise<InvokeOutcome> {
    for (const waitMs of throttledWaitsMs) {
      const outcome = await invoke(functionArn, ...event);
      if (outcome.ok || outcome.error.errorType !== throttledError || signal.aborted) return outcome;
      await pause(clock, waitMs, signal);
    }
    return invoke(functionArn, ...event);
  }

  async function nextBatch(): Promise<readonly QueueMessage[]> {
    const { batchSize, batchingWindowSeconds: windowSeconds } = mapping;
    const messages = await gatherBatch({ batchSize, windowSeconds, clock, signal }, (max, waitMs) =>
      queues.receive({ queueArn: sourceArn, max: Math.min(max, receiveLimit), waitMs, signal }),
    );
    const [passed, dropped] = partition(messages, (message) =>
      passesFilters(filters, queueRecordForFilter(toRecord(message, sourceArn, region))),
    );
    remove(dropped);
    return passed;
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (running.size >= limit) await Promise.race(running);
        const messages = running.size < limit ? await nextBatch() : [];
        if (messages.length === 0) continue;
        const delivery = deliver(messages)
          .catch(report)
          .finally(() => running.delete(delivery));
        running.add(delivery);
      } catch (error) {
        report(error);
        await pause(clock, pauseAfterErrorMs, signal);
      }
    }
  }

  function report(error: unknown): void {
    log(`event source ${sourceArn}: ${error instanceof Error ? error.message : String(error)}`);
  }

  const polling = poll();
  return {
    async stop() {
      stopping.abort();
      await polling;
      await Promise.all(running);
    },
  };
}

/**
 * Returns the trace header of the message with the chain of events that has invoked the function most often. AWS does not say
 * which message's header a batch gets. This choice is the strictest: everything that the function sends for the batch continues
 * the longest chain.
 */
function longestLineage(messages: readonly QueueMessage[], functionArn: string): string | undefined {
  const headers = messages.flatMap(({ attributes }) => attributes['AWSTraceHeader'] ?? []);
  const longest = Math.max(...headers.map((header) => invocationsIn(header, functionArn)));
  return headers.find((header) => invocationsIn(header, functionArn) === longest);
}

/** Converts a message to a record. https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
function toRecord(message: QueueMessage, queueArn: string, region: string) {
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: message.attributes,
    messageAttributes: Object.fromEntries(
      Object.entries(message.messageAttributes).map(([name, attribute]) => [
        name,
        toRecordAttribute(attribute),
      ]),
    ),
    ...(message.md5OfMessageAttributes !== undefined && {
      md5OfMessageAttributes: message.md5OfMessageAttributes,
    }),
    md5OfBody: message.md5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}

/** Converts an attribute. Lambda's events contain both lists, although SQS does not support list values. */
function toRecordAttribute(attribute: MessageAttribute) {
  return { ...attribute, stringListValues: [], binaryListValues: [] };
}

function partition<Item>(items: readonly Item[], passes: (item: Item) => boolean): [Item[], Item[]] {
  const passed: Item[] = [];
  const others: Item[] = [];
  for (const item of items) (passes(item) ? passed : others).push(item);
  return [passed, others];
}
