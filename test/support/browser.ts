import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * A Chromium of this machine: the one that `CHROMIUM_PATH` names, one that Playwright has installed, or one on the PATH.
 *
 * @returns `undefined` where there is none
 */
export function findChromium(): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [
    process.env['CHROMIUM_PATH'] ?? '',
    chromium.executablePath(),
    ...directories.flatMap((directory) => names.map((name) => join(directory, name))),
  ];
  return candidates.find((path) => path !== '' && existsSync(path));
}

/** Opens it without a window. Root, as containers have it, may not use its sandbox. */
export function openChromium(executablePath: string) {
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
}
