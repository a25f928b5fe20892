import type { IncomingHttpHeaders } from 'node:http';
import type { Prepare } from '../statements.ts';
import { createMasking } from './masking.ts';
import type { RecordedBody } from './recorded-body.ts';

/** A request on arrival. */
export interface ArrivedRequest {
  /** Epoch milliseconds of the simulator's clock. */
  readonly at: number;
  /** The platform's own name for the operation. */
  readonly operation: string;
  readonly method: string;
  /** Path and query as they were sent: `/{host}/{path}?{query}`. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** The end of a request. */
export interface RequestEnd {
  /** 0 if the request was not answered. */
  readonly status: number;
  readonly fault?: string | undefined;
  readonly body?: RecordedBody | undefined;
}

/** A request as `_control/requests` shows it. Tokens and other secrets are masked. */
export interface LoggedRequest {
  /** 1 for the first request of all, then 2, 3 … */
  readonly number: number;
  /** Epoch milliseconds of the simulator's clock. */
  readonly at: number;
  readonly operation: string;
  readonly method: string;
  /** Path and query at the simulator: `/{host}/{path}?{query}`. */
  readonly path: string;
  /** The address at the real platform. */
  readonly url: string;
  /** The names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if the request had no body, or is still being served. */
  readonly body?: RecordedBody;
  /** 0 if the request has not been answered. */
  readonly status: number;
  /** The planned fault that the request met. */
  readonly fault?: string;
}

export interface RequestLog {
  /** Logs a request on arrival. The returned function records its end. */
  begin(request: ArrivedRequest): (end: RequestEnd) => void;
  /** Returns the kept requests, oldest first. @param after only those with a higher number */
  list(after?: number): readonly LoggedRequest[];
}

/** The maximum number of kept requests, which are the newest. Their bodies and headers together also have a maximum size. */
export const maxRequests = 5000;
export const maxBytes = 64 * 1024 * 1024;

/** The table of requests. Earlier versions kept less, in a table `request`. */
export const requestSchema = `
  DROP TABLE IF EXISTS request;
  CREATE TABLE IF NOT EXISTS logged_request (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, operation TEXT NOT NULL, method TEXT NOT NULL,
    target TEXT NOT NULL, headers TEXT NOT NULL, status INTEGER NOT NULL DEFAULT 0, fault TEXT, body TEXT,
    bytes INTEGER NOT NULL
  ) STRICT;
`;

const insert = `INSERT INTO logged_request (at, operation, method, target, headers, bytes) VALUES (?, ?, ?, ?, ?, ?)`;
const update =
  'UPDATE logged_request SET status = ?, fault = ?, body = coalesce(?, body), bytes = bytes + ? WHERE number = ?';
const dropOld = 'DELETE FROM logged_request WHERE number <= ? RETURNING bytes';
const dropOldest = `DELETE FROM logged_request WHERE number IN
  (SELECT number FROM logged_request ORDER BY number LIMIT 100) RETURNING bytes`;
const select = 'SELECT * FROM logged_request WHERE number > ? ORDER BY number';

/**
 * Opens the log. The requests are stored as they came, next to the tokens that the simulator issues, and masked when they are
 * listed.
 *
 * @param secrets texts that must not be listed: every token and code that was issued
 */
export function openRequestLog(prepare: Prepare, secrets: () => Iterable<string>): RequestLog {
  let storedBytes: number | undefined;
  const count = (bytes: number) => {
    storedBytes ??= Number(prepare('SELECT sum(bytes) AS sum FROM logged_request').get()?.['sum']);
    storedBytes += bytes;
    return storedBytes;
  };
  const drop = (rows: readonly Record<string, unknown>[]) => {
    for (const { bytes } of rows) count(-Number(bytes));
  };

  return {
    begin({ at, operation, method, target, headers }) {
      const sent = JSON.stringify(headers);
      const bytes = sent.length + target.length;
      count(bytes);
      const inserted = prepare(insert).run(at, operation, method, target, sent, bytes);
      const number = Number(inserted.lastInsertRowid);
      if (number > maxRequests) drop(prepare(dropOld).all(number - maxRequests));
      let bodyBytes = 0;
      return ({ status, fault, body }) => {
        const text = body === undefined ? null : JSON.stringify(body);
        const added = text === null ? 0 : text.length - bodyBytes;
        bodyBytes += added;
        const { changes } = prepare(update).run(status, fault ?? null, text, added, number);
        if (Number(changes) > 0) count(added);
        while (count(0) > maxBytes) drop(prepare(dropOldest).all());
      };
    },
    list(after = 0) {
      const masking = createMasking(secrets());
      return prepare(select)
        .all(after)
        .map(({ number, at, operation, method, target, headers, status, fault, body }) => {
          const sent: IncomingHttpHeaders = JSON.parse(String(headers));
          const path = masking.target(String(target));
          const content: RecordedBody | null = JSON.parse(String(body));
          return {
            number: Number(number),
            at: Number(at),
            operation: String(operation),
            method: String(method),
            path,
            url: `https:/${path}`,
            headers: masking.headers(sent),
            ...(content !== null && { body: masking.body(content, sent['content-type'] ?? '') }),
            status: Number(status),
            ...(fault !== null && { fault: String(fault) }),
          };
        });
    },
  };
}
