import type { Download } from '../../http-client/address-guard/download.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Table } from '../../table/table.ts';
import type { ImportMessage } from './schemas.ts';

/** An upload in parts. Nothing is visible until it is completed. */
export interface PartUpload {
  /** Sends the next part. All but the last have {@link partBytes} bytes. */
  readonly send: (bytes: Uint8Array) => Promise<void>;
  /** Creates the object, in place of any earlier one. */
  readonly complete: () => Promise<void>;
  /** Removes the parts. Also succeeds if there are none. */
  readonly abort: () => Promise<void>;
}

/**
 * The size of a part. S3 accepts parts of at least 5 MiB, and at most 10,000 of them:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
 */
export const partBytes = 8 * 1024 ** 2;

export interface ImportPorts {
  readonly table: Table;
  readonly now: Clock;
  /** Returns a random number in [0, 1). */
  readonly chance: () => number;
  /** Opens a URL for a workspace. @throws DownloadError */
  readonly open: (url: string, workspaceId: string) => Promise<Download>;
  /** Writes a small object in one request. */
  readonly put: (objectKey: string, bytes: Uint8Array) => Promise<void>;
  readonly beginParts: (objectKey: string) => Promise<PartUpload>;
  readonly enqueue: (message: ImportMessage, delaySeconds: number) => Promise<void>;
  readonly limits: ReadLimits;
}

/** The limits after which a body that arrives too slowly is given up. */
export interface ReadLimits {
  /** The longest time without a byte. */
  readonly idleMs: number;
  /** The lowest average, measured after {@link settlingMs}. */
  readonly bytesPerSecond: number;
  readonly settlingMs: number;
}
