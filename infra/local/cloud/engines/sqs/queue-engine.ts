/** Standard queues: sending, receiving, visibility, dead letters, retention, and listeners for new messages. */

import { randomBytes, randomUUID } from 'node:crypto';
import type { CancelTimer, TimerClock } from '../../clock.ts';
import type { QueueResource } from '../../model.ts';
import { AwsError } from '../errors.ts';
import type { OutgoingMessage, QueueEngine, QueueMessage, ReceiveRequest, SentMessage } from '../types.ts';
import { checkMessage, checkRange, md5OfAttributes, md5OfBody } from './message-rules.ts';
import type { MessageStore, StoredMessage } from './message-store.ts';

export interface LocalQueueEngine extends QueueEngine {
  /** @throws AwsError `QueueDoesNotExist`. */
  queue(queueArn: string): QueueResource;
  purge(queueArn: string): void;
  /** Moves up to `max` visible messages out of a dead-letter queue as new messages. @returns their number. */
  redrive(sourceArn: string, destinationArn: string | undefined, max: number): number;
  close(): void;
}

export function createQueueEngine(dependencies: {
  readonly queues: readonly QueueResource[];
  readonly store: MessageStore;
  readonly clock: TimerClock;
}): LocalQueueEngine {
  const { store, clock } = dependencies;
  const queues = new Map(dependencies.queues.map((queue) => [queue.arn, queue]));
  const listeners = new Map<string, Set<() => void>>();
  const timers = new Map<string, CancelTimer>();
  const announced = new Set<string>();

  function queue(queueArn: string): QueueResource {
    const found = queues.get(queueArn);
    if (!found) throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return found;
  }

  /** Calls the listeners in a microtask, so never inside a transaction. Merges calls until then. */
  function announce(queueArn: string): void {
    if (announced.has(queueArn)) return;
    announced.add(queueArn);
    queueMicrotask(() => {
      announced.delete(queueArn);
      for (const listener of [...(listeners.get(queueArn) ?? [])]) listener();
    });
  }

  /** Sets a timer for the time at which the next hidden message becomes visible. Needed only if the queue has listeners. */
  function watch(queueArn: string): void {
    timers.get(queueArn)?.();
    timers.delete(queueArn);
    if (!listeners.has(queueArn)) return;
    const atMs = store.nextVisibleAtMs(queueArn, clock.now());
    if (atMs === undefined) return;
    const wake = () => {
      announce(queueArn);
      watch(queueArn);
    };
    timers.set(queueArn, clock.setTimer(atMs, wake));
  }

  function onMessage(queueArn: string, callback: () => void): () => void {
    const callbacks = listeners.get(queueArn) ?? new Set();
    listeners.set(queueArn, callbacks.add(callback));
    watch(queueArn);
    return () => {
      callbacks.delete(callback);
      if (callbacks.size > 0 || listeners.get(queueArn) !== callbacks) return;
      listeners.delete(queueArn);
      watch(queueArn);
    };
  }

  function send(message: OutgoingMessage): SentMessage {
    const target = queue(message.queueArn);
    checkMessage(message);
    const messageId = randomUUID();
    const attributes = message.messageAttributes ?? {};
    const sentAtMs = clock.now();
    const delayMs = (message.delaySeconds ?? target.delaySeconds) * 1000;
    const { body, messageGroupId: groupId, traceHeader, senderId = 'AIDALOCAL' } = message;
    store.add(
      target.arn,
      { messageId, body, attributes, groupId, senderId, traceHeader, sentAtMs },
      sentAtMs + delayMs,
    );
    if (delayMs === 0) announce(target.arn);
    else watch(target.arn);
    return sentMessage(messageId, message);
  }

  function receiveNow(request: ReceiveRequest): QueueMessage[] {
    const source = queue(request.queueArn);
    const nowMs = clock.now();
    const visibilitySeconds = request.visibilityTimeoutSeconds ?? source.visibilityTimeoutSeconds;
    const received: QueueMessage[] = [];
    store.transaction(() => {
      store.expire(source.arn, nowMs - source.retentionSeconds * 1000);
      while (received.length < request.max) {
        const candidates = store.visible(source.arn, nowMs, request.max - received.length);
        for (const candidate of candidates) {
          if (source.redrive && candidate.receiveCount >= source.redrive.maxReceiveCount) {
            store.moveToDeadLetters(candidate.messageId, source.arn, source.redrive.deadLetterArn, nowMs);
            announce(source.redrive.deadLetterArn);
          } else {
            const receiptHandle = randomBytes(48).toString('base64');
            store.receive(candidate.messageId, receiptHandle, nowMs + visibilitySeconds * 1000, nowMs);
            received.push(receivedMessage(candidate, receiptHandle, nowMs));
          }
        }
        // With a visibility timeout of 0 a message is visible again immediately, but not twice in one reply.
        if (candidates.length === 0 || visibilitySeconds === 0) break;
      }
    });
    if (received.length > 0) {
      if (visibilitySeconds === 0) announce(source.arn);
      watch(source.arn);
    }
    return received;
  }

  function receive(request: ReceiveRequest): Promise<readonly QueueMessage[]> {
    const first = receiveNow(request);
    if (first.length > 0 || request.waitMs <= 0 || request.signal?.aborted) return Promise.resolve(first);
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        stopListening();
        cancelTimer();
        request.signal?.removeEventListener('abort', giveUp);
        settle();
      };
      const giveUp = () => finish(() => resolve([]));
      const tryAgain = () => {
        try {
          const messages = receiveNow(request);
          if (messages.length > 0) finish(() => resolve(messages));
        } catch (error) {
          finish(() => reject(error));
        }
      };
      const cancelTimer = clock.setTimer(clock.now() + request.waitMs, giveUp);
      const stopListening = onMessage(request.queueArn, tryAgain);
      request.signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  return {
    queue,
    send,
    receive,
    onMessage,
    delete(queueArn, receiptHandle) {
      checkReceipt(receiptHandle);
      store.remove(queue(queueArn).arn, receiptHandle);
    },
    changeVisibility(queueArn, receiptHandle, visibilityTimeoutSeconds) {
      checkReceipt(receiptHandle);
      checkRange('VisibilityTimeout', visibilityTimeoutSeconds, 0, 43_200);
      const nowMs = clock.now();
      const visibleAtMs = nowMs + visibilityTimeoutSeconds * 1000;
      if (!store.changeVisibility(queue(queueArn).arn, receiptHandle, visibleAtMs, nowMs)) {
        throw new AwsError('MessageNotInflight', 'The specified message is not in flight.');
      }
      if (visibilityTimeoutSeconds === 0) announce(queueArn);
      else watch(queueArn);
    },
    counts(queueArn) {
      const nowMs = clock.now();
      store.expire(queueArn, nowMs - queue(queueArn).retentionSeconds * 1000);
      return store.counts(queueArn, nowMs);
    },
    commitTogether(steps) {
      try {
        return store.transaction(steps);
      } catch (error) {
        // The rolled-back steps may have set timers.
        for (const queueArn of listeners.keys()) watch(queueArn);
        throw error;
      }
    },
    purge: (queueArn) => store.purge(queue(queueArn).arn),
    redrive(sourceArn, destinationArn, max) {
      return store.transaction(() => {
        const messages = store.visible(queue(sourceArn).arn, clock.now(), max);
        for (const { messageId, body, attributes, groupId, senderId, deadLetterSourceArn } of messages) {
          const queueArn = destinationArn ?? deadLetterSourceArn;
          if (queueArn === undefined)
            throw new AwsError('InvalidParameterValue', 'The message has no source queue.');
          store.discard(messageId);
          send({
            queueArn,
            body,
            senderId,
            messageAttributes: attributes,
            ...(groupId !== undefined && { messageGroupId: groupId }),
          });
        }
        return messages.length;
      });
    },
    close() {
      for (const cancel of timers.values()) cancel();
      timers.clear();
      listeners.clear();
      store.close();
    },
  };
}

function sentMessage(messageId: string, message: OutgoingMessage): SentMessage {
  const md5OfMessageAttributes = md5OfAttributes(message.messageAttributes ?? {});
  return {
    messageId,
    md5OfBody: md5OfBody(message.body),
    ...(md5OfMessageAttributes !== undefined && { md5OfMessageAttributes }),
  };
}

function receivedMessage(stored: StoredMessage, receiptHandle: string, nowMs: number): QueueMessage {
  const md5OfMessageAttributes = md5OfAttributes(stored.attributes);
  return {
    messageId: stored.messageId,
    receiptHandle,
    body: stored.body,
    md5OfBody: md5OfBody(stored.body),
    attributes: {
      ApproximateReceiveCount: String(stored.receiveCount + 1),
      SentTimestamp: String(stored.sentAtMs),
      ApproximateFirstReceiveTimestamp: String(stored.firstReceivedAtMs ?? nowMs),
      SenderId: stored.senderId,
      ...(stored.groupId !== undefined && { MessageGroupId: stored.groupId }),
      ...(stored.traceHeader !== undefined && { AWSTraceHeader: stored.traceHeader }),
      ...(stored.deadLetterSourceArn !== undefined && {
        DeadLetterQueueSourceArn: stored.deadLetterSourceArn,
      }),
    },
    messageAttributes: stored.attributes,
    ...(md5OfMessageAttributes !== undefined && { md5OfMessageAttributes }),
  };
}

function checkReceipt(receiptHandle: string): void {
  if (!/^[A-Za-z0-9+/]{64}$/.test(receiptHandle)) {
    throw new AwsError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.');
  }
}
