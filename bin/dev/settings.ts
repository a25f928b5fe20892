/** The options and environment variables of the local run. */
import { dataFolder } from '../data-folder.ts';

export const help = `Run the whole of Herald on this machine: npm run dev

It builds what has changed since the last start, starts a local cloud that runs them, and creates two workspaces. It prints
a line for each destination of a post that is live or has failed, and a summary at the end.

Options (npm run dev -- --verbose)
  --verbose         show the functions' log lines, which are also in DATA_DIR/logs
  --help            show this text

Environment (default)
  PORT                   the API's port; 0: everything gets a free port (3000)
  PANEL_PORT             the panel's port; 0: any free one (3001; 0 if PORT is 0)
  DATA_DIR               folder of all data; delete it to start from scratch (.local)
  SCHEDULER_JITTER       real: schedules fire up to 60 s late, as in AWS; none: on the second (none)
  RATE_LIMIT_PER_MINUTE  requests per minute from one address under /v1 (as in the template)

While it runs (each with --help)
  npm run dev:fault      make a simulated platform fail, be slow or lose answers
  npm run dev:clock      move the clock forward
  npm run dev:comment    comment on a post or write a message, as somebody on Instagram
  npm run dev:receiver   receive webhooks, and check their signatures
`;

export interface Settings {
  /** The API's port. 0: any free port. */
  readonly port: number;
  readonly panelPort: number;
  readonly dataDirectory: string;
  readonly jitter: 'real' | 'none';
  readonly rateLimitPerMinute: number | undefined;
}

/** @throws Error with a one-line message if a setting is not valid. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const {
    PORT = '3000',
    PANEL_PORT = Number(PORT) === 0 ? '0' : '3001',
    SCHEDULER_JITTER = 'none',
    RATE_LIMIT_PER_MINUTE,
  } = environment;
  const [port, panelPort] = [readPort('PORT', PORT), readPort('PANEL_PORT', PANEL_PORT)];
  if (SCHEDULER_JITTER !== 'real' && SCHEDULER_JITTER !== 'none') {
    throw new Error(`SCHEDULER_JITTER must be real or none, not ${SCHEDULER_JITTER}`);
  }
  if (RATE_LIMIT_PER_MINUTE !== undefined && !/^[1-9]\d{0,8}$/.test(RATE_LIMIT_PER_MINUTE)) {
    throw new Error(`RATE_LIMIT_PER_MINUTE must be a whole number from 1, not ${RATE_LIMIT_PER_MINUTE}`);
  }
  const rateLimitPerMinute = RATE_LIMIT_PER_MINUTE === undefined ? undefined : Number(RATE_LIMIT_PER_MINUTE);
  return {
    port,
    panelPort,
    dataDirectory: dataFolder(environment),
    jitter: SCHEDULER_JITTER,
    rateLimitPerMinute,
  };
}

function readPort(variable: string, text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`${variable} must be a number from 0 to 65535, not ${text}`);
}
