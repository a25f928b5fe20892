/**
 * Stores the messages of all queues in SQLite. Times are epoch milliseconds. The caller passes the current time, which
 * determines which messages are visible, delayed or in flight.
 */

import { type Database, openDatabase } from '../database.ts';
import type { MessageAttribute } from '../types.ts';

export interface StoredMessage {
  readonly messageId: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
  readonly groupId: string | undefined;
  readonly senderId: string;
  readonly traceHeader: string | undefined;
  readonly sentAtMs: number;
  readonly receiveCount: number;
  readonly firstReceivedAtMs: number | undefined;
  /** The queue that a dead letter comes from; undefined for other messages. */
  readonly deadLetterSourceArn: string | undefined;
}

export type NewMessage = Pick<
  StoredMessage,
  'messageId' | 'body' | 'attributes' | 'groupId' | 'senderId' | 'traceHeader' | 'sentAtMs'
>;

export interface MessageStore {
  add(queueArn: string, message: NewMessage, visibleAtMs: number): void;
  /** Returns the next visible messages, with groups in turn. Does not hide them. */
  visible(queueArn: string, nowMs: number, max: number): StoredMessage[];
  /** Hides a message under a new receipt handle and increments its receive count. */
  receive(messageId: string, receipt: string, visibleAtMs: number, nowMs: number): void;
  /** Deletes the message whose latest receipt handle this is. @returns true if there was one. */
  remove(queueArn: string, receipt: string): boolean;
  /** Sets the time at which a message in flight becomes visible. @returns true if this is the latest receipt handle of one. */
  changeVisibility(queueArn: string, receipt: string, visibleAtMs: number, nowMs: number): boolean;
  /** Moves a message to its dead-letter queue: visible, and with its original send time. */
  moveToDeadLetters(messageId: string, fromArn: string, deadLetterArn: string, nowMs: number): void;
  /** Deletes a message regardless of its receipt handle, for a move task. */
  discard(messageId: string): void;
  purge(queueArn: string): void;
  expire(queueArn: string, sentBeforeMs: number): void;
  /** Returns the time at which the next hidden message becomes visible; undefined if none is hidden. */
  nextVisibleAtMs(queueArn: string, nowMs: number): number | undefined;
  counts(queueArn: string, nowMs: number): { visible: number; inFlight: number; delayed: number };
  transaction<T>(steps: () => T): T;
  close(): void;
}

/**
 * `turn` makes queues fair (start-time fair queueing). A message's turn is one more than the highest turn in its group
 * or the last turn served, whichever is higher, so a tenant's hundredth message comes after another tenant's first.
 * Messages without a group keep their send order.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS messages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id TEXT NOT NULL UNIQUE,
    queue_arn TEXT NOT NULL,
    body TEXT NOT NULL,
    attributes TEXT NOT NULL,
    group_id TEXT,
    sender_id TEXT NOT NULL,
    trace_header TEXT,
    dead_letter_source_arn TEXT,
    sent_at INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    hidden INTEGER NOT NULL,
    visible_at INTEGER NOT NULL,
    receipt TEXT,
    receive_count INTEGER NOT NULL DEFAULT 0,
    first_received_at INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_by_turn ON messages (queue_arn, hidden, turn, sequence);
  CREATE INDEX IF NOT EXISTS messages_by_time ON messages (queue_arn, hidden, visible_at);
  CREATE INDEX IF NOT EXISTS messages_by_age ON messages (queue_arn, sent_at);
  CREATE INDEX IF NOT EXISTS messages_by_group ON messages (queue_arn, group_id, turn);
  CREATE INDEX IF NOT EXISTS messages_by_receipt ON messages (receipt) WHERE receipt IS NOT NULL;
  CREATE TABLE IF NOT EXISTS served (queue_arn TEXT PRIMARY KEY, turn INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

export function openMessageStore(file: string): MessageStore {
  const database = openDatabase(file, schema);
  return { ...statements(database), transaction: database.transaction, close: database.close };
}

function statements({ connection }: Database): Omit<MessageStore, 'transaction' | 'close'> {
  const insert = connection.prepare(`
    INSERT INTO messages (message_id, queue_arn, body, attributes, group_id, sender_id, trace_header, sent_at, hidden, visible_at, turn)
    VALUES (:messageId, :queueArn, :body, :attributes, :groupId, :senderId, :traceHeader, :sentAt, :hidden, :visibleAt,
      1 + max(coalesce((SELECT turn FROM served WHERE queue_arn = :queueArn), 0),
              coalesce((SELECT max(turn) FROM messages WHERE queue_arn = :queueArn AND group_id = :groupId), 0)))`);
  const reveal = connection.prepare(
    'UPDATE messages SET hidden = 0 WHERE queue_arn = ? AND hidden = 1 AND visible_at <= ?',
  );
  const next = connection.prepare(
    'SELECT * FROM messages WHERE queue_arn = ? AND hidden = 0 ORDER BY turn, sequence LIMIT ?',
  );
  const receive = connection.prepare(`
    UPDATE messages SET hidden = 1, visible_at = ?, receipt = ?, receive_count = receive_count + 1,
      first_received_at = coalesce(first_received_at, ?) WHERE message_id = ? RETURNING queue_arn, turn`);
  const serve = connection.prepare(`
    INSERT INTO served (queue_arn, turn) VALUES (:queueArn, :turn)
    ON CONFLICT DO UPDATE SET turn = max(turn, excluded.turn)`);
  const remove = connection.prepare('DELETE FROM messages WHERE receipt = ? AND queue_arn = ?');
  const changeVisibility = connection.prepare(`
    UPDATE messages SET hidden = :visibleAt > :now, visible_at = :visibleAt
    WHERE receipt = :receipt AND queue_arn = :queueArn AND hidden = 1 AND visible_at > :now`);
  const moveToDeadLetters = connection.prepare(`
    UPDATE messages SET queue_arn = :to, dead_letter_source_arn = :from, hidden = 0, visible_at = :now, receipt = NULL,
      turn = 1 + coalesce((SELECT turn FROM served WHERE queue_arn = :to), 0) WHERE message_id = :messageId`);
  const discard = connection.prepare('DELETE FROM messages WHERE message_id = ?');
  const purge = connection.prepare('DELETE FROM messages WHERE queue_arn = ?');
  const expire = connection.prepare('DELETE FROM messages WHERE queue_arn = ? AND sent_at < ?');
  const nextVisible = connection.prepare(
    'SELECT min(visible_at) AS at FROM messages WHERE queue_arn = ? AND hidden = 1 AND visible_at > ?',
  );
  const count = connection.prepare(`
    SELECT count(*) FILTER (WHERE visible_at <= :now) AS visible,
      count(*) FILTER (WHERE visible_at > :now AND receipt IS NOT NULL) AS inFlight,
      count(*) FILTER (WHERE visible_at > :now AND receipt IS NULL) AS delayed
    FROM messages WHERE queue_arn = :queueArn`);
  return {
    add(queueArn, message, visibleAtMs) {
      insert.run({
        messageId: message.messageId,
        queueArn,
        body: message.body,
        attributes: JSON.stringify(message.attributes),
        groupId: message.groupId ?? null,
        senderId: message.senderId,
        traceHeader: message.traceHeader ?? null,
        sentAt: message.sentAtMs,
        hidden: Number(visibleAtMs > message.sentAtMs),
        visibleAt: visibleAtMs,
      });
    },
    visible(queueArn, nowMs, max) {
      reveal.run(queueArn, nowMs);
      return next.all(queueArn, max).map(fromRow);
    },
    receive(messageId, receipt, visibleAtMs, nowMs) {
      const taken = receive.get(visibleAtMs, receipt, nowMs, messageId);
      if (taken) serve.run({ queueArn: String(taken['queue_arn']), turn: Number(taken['turn']) });
    },
    remove: (queueArn, receipt) => remove.run(receipt, queueArn).changes === 1,
    changeVisibility: (queueArn, receipt, visibleAtMs, nowMs) =>
      changeVisibility.run({ visibleAt: visibleAtMs, receipt, queueArn, now: nowMs }).changes === 1,
    moveToDeadLetters(messageId, fromArn, deadLetterArn, nowMs) {
      moveToDeadLetters.run({ to: deadLetterArn, from: fromArn, now: nowMs, messageId });
    },
    discard(messageId) {
      discard.run(messageId);
    },
    purge(queueArn) {
      purge.run(queueArn);
    },
    expire(queueArn, sentBeforeMs) {
      expire.run(queueArn, sentBeforeMs);
    },
    nextVisibleAtMs(queueArn, nowMs) {
      const at = nextVisible.get(queueArn, nowMs)?.['at'];
      return typeof at === 'number' ? at : undefined;
    },
    counts(queueArn, nowMs) {
      const row = count.get({ now: nowMs, queueArn });
      return {
        visible: Number(row?.['visible']),
        inFlight: Number(row?.['inFlight']),
        delayed: Number(row?.['delayed']),
      };
    },
  };
}

function fromRow(row: Record<string, unknown>): StoredMessage {
  return {
    messageId: String(row['message_id']),
    body: String(row['body']),
    attributes: JSON.parse(String(row['attributes'])),
    groupId: optionalText(row['group_id']),
    senderId: String(row['sender_id']),
    traceHeader: optionalText(row['trace_header']),
    sentAtMs: Number(row['sent_at']),
    receiveCount: Number(row['receive_count']),
    firstReceivedAtMs: row['first_received_at'] === null ? undefined : Number(row['first_received_at']),
    deadLetterSourceArn: optionalText(row['dead_letter_source_arn']),
  };
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
