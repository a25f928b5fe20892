import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { DataDirectory } from './data-directory.ts';

const secretsFile = 'secrets.json';

/** Opens the values of the template's secrets: 64 random characters each, created on first use, and then kept. */
export function openSecrets(data: DataDirectory): (secretArn: string) => string {
  const values = z.record(z.string(), z.string()).parse(data.read(secretsFile) ?? {});
  return (secretArn) => {
    const known = values[secretArn];
    if (known !== undefined) return known;
    const value = randomBytes(32).toString('hex');
    values[secretArn] = value;
    data.write(secretsFile, values);
    return value;
  };
}
