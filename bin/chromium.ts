import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

const root = join(import.meta.dirname, '..');
const systemNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Starts the Chromium in `CHROMIUM_PATH`, the one from npm (Linux on x86-64), or one of the system. Root, the usual user
 * in containers, cannot use Chromium's sandbox.
 *
 * @returns `undefined` if there is no Chromium
 */
export async function openBrowser(options: LaunchOptions = {}): Promise<Browser | undefined> {
  const chromiumSandbox = process.getuid?.() !== 0;
  const packaged = process.env['CHROMIUM_PATH'] ? undefined : packagedChromium();
  if (packaged === undefined) {
    const executablePath = systemChromium();
    return executablePath === undefined
      ? undefined
      : chromium.launch({ ...options, executablePath, chromiumSandbox });
  }
  const directory = await unpack(packaged.version);
  return chromium.launch({
    ...options,
    executablePath: join(directory, 'chromium'),
    chromiumSandbox,
    // The package brings the shared libraries and fonts that a bare system lacks.
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(directory, 'al2023/lib'),
      FONTCONFIG_PATH: join(directory, 'fonts'),
    },
  });
}

/** Features that Playwright turns off itself, as far as it matters here: Chromium reads only the last list. */
const turnedOffByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];

/** Options that save processor time and change nothing that a page notices, except how long it takes. */
export function economical(): LaunchOptions {
  return {
    args: [
      // Pages of a site share a process, and with it the scripts that it has compiled.
      '--process-per-site',
      // Both would compile scripts again that the process has already compiled.
      `--disable-features=${[...turnedOffByPlaywright, 'ScriptStreaming', 'BackgroundResourceFetch'].join()}`,
    ],
    // Playwright keeps Chromium from using shared memory, which containers may have too little of. Each response takes 2 MB, in
    // files otherwise.
    ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
  };
}

function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 2 ** 30;
  } catch {
    return false;
  }
}

/** Finds the Chromium of the development packages; `undefined` on systems that it was not built for. */
function packagedChromium(): { readonly version: string } | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    return JSON.parse(readFileSync(join(entry, '../../package.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Finds the Chromium in `CHROMIUM_PATH`, one that Playwright has installed, or one on the PATH. */
function systemChromium(): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [
    process.env['CHROMIUM_PATH'] ?? '',
    chromium.executablePath(),
    ...directories.flatMap((directory) => systemNames.map((name) => join(directory, name))),
  ];
  return candidates.find((path) => path !== '' && existsSync(path));
}

/** Replaces the package's own configuration, which names folders of Lambda. */
const fontsConfiguration = (directory: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${directory}/fonts</dir><cachedir>${directory}/font-cache</cachedir></fontconfig>
`;

/**
 * Unpacks the packaged Chromium once per version. Safe to run concurrently: each process unpacks into its own folder, and
 * the first to finish renames it.
 */
async function unpack(version: string): Promise<string> {
  const directory = join(root, '.build', `chromium-${version}`);
  if (existsSync(directory)) return directory;
  const own = `${directory}-${process.pid}`;
  mkdirSync(own, { recursive: true });
  const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
  await promisify(execFile)(process.execPath, ['-e', script], {
    cwd: root,
    // The package unpacks into the temporary folder, and unpacks its shared libraries only if it detects Lambda.
    env: { ...process.env, TMPDIR: own, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
  });
  writeFileSync(join(own, 'fonts/fonts.conf'), fontsConfiguration(directory));
  try {
    renameSync(own, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
    rmSync(own, { recursive: true });
  }
  return directory;
}
