import type { Wire } from './start.ts';

export type LightLog = (level: 'WARN' | 'ERROR', message: string, error: Error) => void;

/** Writes lines in the form of the other functions' lines, without their logger. */
export const log: Wire<LightLog> = (environment) => {
  const service = environment('AWS_LAMBDA_FUNCTION_NAME', '');
  return (level, message, error) => {
    const timestamp = new Date().toISOString();
    const line = JSON.stringify({ level, message, service, timestamp, error: error.message });
    process.stdout.write(`${line}\n`);
  };
};
