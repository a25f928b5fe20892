import { parentPort } from 'node:worker_threads';
import { measureInspection } from './measure.ts';

parentPort?.on(
  'message',
  async ({ shared, contentType }: { shared: SharedArrayBuffer; contentType: string }) => {
    parentPort?.postMessage(await measureInspection(new Uint8Array(shared), contentType));
  },
);
