import type { Clock } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { PlatformHttp } from '../platforms/contract/http.ts';
import type { Target } from '../targets/schemas.ts';
import type { PlatformCall } from '../targets/timeline.ts';
import type { PublishingPorts } from './ports.ts';

/** The ports of one worker on one target. They record the platform calls for the target's timeline. */
export interface WorkerPorts extends PublishingPorts {
  /** Returns the calls recorded since the last commit, and clears them. */
  readonly takeCalls: () => PlatformCall[];
  /** Called with the target after each commit. */
  readonly onCommitted: (target: Target) => void;
}

/** Records every platform call made through these ports until the next commit takes the record. Reports each commit. */
export function withCallLog(ports: PublishingPorts, onCommitted: (target: Target) => void): WorkerPorts {
  let calls: PlatformCall[] = [];
  return {
    ...ports,
    onCommitted,
    toolsFor: async (platform) => {
      const tools = await ports.toolsFor(platform);
      return { ...tools, http: recording(tools.http, ports.now, (call) => calls.push(call)) };
    },
    takeCalls: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}

function recording(http: PlatformHttp, now: Clock, record: (call: PlatformCall) => void): PlatformHttp {
  return {
    addressOf: (url) => http.addressOf(url),
    connectAhead: (url) => http.connectAhead(url),
    send: async (request) => {
      const startedMs = now();
      const call = `${request.method} ${request.url.split('?')[0]}`;
      try {
        const answer = await http.send(request);
        record({ call, status: answer.status, milliseconds: now() - startedMs });
        return answer;
      } catch (error) {
        const status = error instanceof PlatformError ? (error.status ?? null) : null;
        record({ call, status, milliseconds: now() - startedMs });
        throw error;
      }
    },
  };
}
