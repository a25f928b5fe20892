import { createHash } from 'node:crypto';
import { openDownload } from '../../../../lib/http-client/address-guard/download.ts';
import { pinnedConnections } from '../../../../lib/http-client/address-guard/pinned-connections.ts';
import { parsePlainHttpHosts } from '../../../../lib/http-client/address-guard/public-url.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { importMedia } from '../../../../lib/media/imports/import-media.ts';
import type { ImportPorts } from '../../../../lib/media/imports/ports.ts';
import { runImport } from '../../../../lib/media/imports/run-import.ts';
import type { ImportMessage } from '../../../../lib/media/imports/schemas.ts';
import { getMedia } from '../../../../lib/media/read.ts';
import type { Media } from '../../../../lib/media/schemas.ts';
import { incomingKeyOf } from '../../../../lib/media/urls.ts';
import { seesMedia } from '../../../../lib/posts/stored/visible-media.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { openStorage } from '../fixture.ts';

// Tests stop the time on which these limits run.
const ofOpening = { urlCharacters: 2_048, redirects: 5, connectSeconds: 5, answerSeconds: 2 };
const limits = { idleMs: 3_000, bytesPerSecond: 10_000, settlingMs: 2_000 };

const plainHttpHosts = parsePlainHttpHosts('127.0.0.1');

/** Hook just before a call: tests crash or delay it here. */
type Before = (call: 'open' | 'put' | 'begin' | 'send' | 'complete') => unknown;

/** A workspace that imports files into a bucket in memory. */
export async function openImports(table: Table, storageQuotaBytes = 2 * 1024 ** 3) {
  const storage = await openStorage(table, storageQuotaBytes);
  const { workspaceId, bucket } = storage;
  const sent: (ImportMessage & { readonly delaySeconds: number })[] = [];
  const digests = new Map<string, string>();
  const openUploads = new Set<string>();
  const partSizes: number[] = [];
  let before: Before = () => undefined;
  const connections = pinnedConnections();
  const opened = Promise.withResolvers<void>();
  const store = (objectKey: string, bytes: Buffer) => {
    digests.set(objectKey, createHash('sha256').update(bytes).digest('hex'));
    bucket.put(objectKey, bytes.length, true);
  };
  const ports: ImportPorts = {
    table,
    now: storage.now,
    chance: () => 1,
    open: async (url, owner) => {
      await before('open');
      const request = { url, owner, userAgent: 'test' };
      const download = await openDownload(connections, { plainHttpHosts }, request, ofOpening);
      opened.resolve();
      return download;
    },
    put: async (objectKey, bytes) => {
      await before('put');
      store(objectKey, Buffer.from(bytes));
    },
    beginParts: async (objectKey) => {
      await before('begin');
      const id = newId(storage.now());
      const parts: Buffer[] = [];
      openUploads.add(id);
      return {
        send: async (bytes) => {
          await before('send');
          partSizes.push(bytes.length);
          parts.push(Buffer.from(bytes));
        },
        complete: async () => {
          await before('complete');
          openUploads.delete(id);
          store(objectKey, Buffer.concat(parts));
        },
        abort: async () => void openUploads.delete(id),
      };
    },
    enqueue: async (message, delaySeconds) => void sent.push({ ...message, delaySeconds }),
    limits,
  };
  const messageOf = ({ id: mediaId }: Pick<Media, 'id'>) => ({ workspaceId, mediaId });
  return {
    ...storage,
    ports,
    sent,
    digests,
    openUploads,
    partSizes,
    /** Resolves when the headers of a response have arrived. */
    opened: opened.promise,
    before: (hook: Before) => {
      before = hook;
    },
    request: (url: string, more: { filename?: string; contentType?: string } = {}) =>
      importMedia(
        { ...storage.contextNow(), plainHttpHosts, mediaBaseUrl: 'https://media.example.com' },
        { url, ...more },
      ),
    run: (media: Pick<Media, 'id'>, timeLeftMs = 60_000) => runImport(ports, messageOf(media), timeLeftMs),
    read: (media: Pick<Media, 'id'>) => getMedia({ ...storage.contextNow(), seesMedia }, media.id),
    digestOf: (media: Media) => digests.get(incomingKeyOf(media.objectKey)),
  };
}
