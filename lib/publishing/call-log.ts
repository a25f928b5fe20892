import type { Clock } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { PlatformHttp } from '../platforms/contract/http.ts';
import type { PlatformCall } from '../targets/timeline.ts';
import type { PublishingPorts } from './ports.ts';

/** The ports of one worker on one target, whose platform calls are noted for the target's timeline. */
export interface WorkerPorts extends PublishingPorts {
  readonly takeCalls: () => PlatformCall[];
}

/** Notes every call that goes through these ports until the next step is committed. */
export function withCallLog(ports: PublishingPorts): WorkerPorts {
  let calls: PlatformCall[] = [];
  return {
    ...ports,
    toolsFor: async (platform) => {
      const tools = await ports.toolsFor(platform);
      return { ...tools, http: noting(tools.http, ports.now, (call) => calls.push(call)) };
    },
    takeCalls: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}

function noting(http: PlatformHttp, now: Clock, note: (call: PlatformCall) => void): PlatformHttp {
  return {
    addressOf: (url) => http.addressOf(url),
    send: async (request) => {
      const startedMs = now();
      const call = `${request.method} ${request.url.split('?')[0]}`;
      try {
        const answer = await http.send(request);
        note({ call, status: answer.status, milliseconds: now() - startedMs });
        return answer;
      } catch (error) {
        const status = error instanceof PlatformError ? (error.status ?? null) : null;
        note({ call, status, milliseconds: now() - startedMs });
        throw error;
      }
    },
  };
}
