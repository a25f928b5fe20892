import { cyclesIn, type Import } from './import-graph.ts';
import { allowedTypeImports, awsSdkFolders, innerLayers, type Layer, layers, parts } from './layers.ts';
import { packageNameIn } from './packages.ts';

/** The folders of the packages of the local run, by their names. */
export type PackageFolders = Readonly<Record<string, string>>;

/** Returns a message for each import that breaks a rule, which says what to do instead. Pure. */
export function brokenRules(imports: readonly Import[], packages: PackageFolders = {}): string[] {
  return [
    ...brokenByPath(imports, packages),
    ...imports.flatMap((each) => brokenBy(each, packages)),
    ...fileCycles(imports),
    ...folderCycles(imports),
  ];
}

/** Returns a message for each import of another package's file by its path, or of an own file by the package's name. Pure. */
export function brokenByPath(imports: readonly Import[], packages: PackageFolders): string[] {
  return imports.flatMap(({ from, to }) =>
    Object.entries(packages).flatMap(([name, folder]) => {
      const isInside = from.startsWith(`${folder}/`);
      if (!isInside && to.startsWith(`${folder}/`))
        return [`${from} imports ${to}: import it by its name, ${to.replace(folder, name)}.`];
      if (isInside && packageNameIn(to) === name)
        return [`${from} imports ${to}: import files of the same package by their relative path.`];
      return [];
    }),
  );
}

function brokenBy(each: Import, packages: PackageFolders): string[] {
  const { from, to } = each;
  const message = brokenByN8n(each) ?? brokenByClient(each) ?? brokenByPanel(each);
  if (message !== undefined) return [message];
  if (to.startsWith('@aws-sdk/')) return brokenByAws(from, to);
  if (opensClients(each))
    return [`${from} imports ${to}: take the dependency from a wire of functions/wire instead.`];
  const own = partOf(from);
  const other = packages[packageNameIn(to)] ?? partOf(to);
  if (own === undefined || (other === undefined && !/\.tsx?$/.test(to))) return [];
  if (own !== other) {
    const allowed = parts[own] ?? [];
    if (other !== undefined && allowed.includes(other)) return [];
    return [
      `${from} imports ${to}: ${own} may import ${allowed.join(', ') || 'only itself'}. Pass it as an argument, or move it.`,
    ];
  }
  return own === 'lib' ? brokenLayer(each) : [];
}

const n8n = 'lib/n8n/';
/** All that the nodes of n8n may import: n8n allows no dependencies, and the build puts the file of the client into the package. */
const forN8n = ['n8n-workflow', 'node:crypto', 'lib/client/webhooks.ts'];

/** The nodes of n8n are published as a package of their own, and compiled with n8n, which is not installed. */
function brokenByN8n({ from, to }: Import): string | undefined {
  if (from.startsWith(n8n) === to.startsWith(n8n)) return undefined;
  if (to.startsWith(n8n)) return `${from} imports ${to}: lib/n8n is for n8n alone.`;
  if (forN8n.includes(to)) return undefined;
  return `${from} imports ${to}: lib/n8n may import only ${forN8n.join(', ')}.`;
}

const client = 'lib/client/';

/** The client is published as a package of its own. */
function brokenByClient({ from, to }: Import): string | undefined {
  if (from.startsWith(client) === to.startsWith(client) || from.startsWith(n8n)) return undefined;
  if (to.startsWith(client)) return `${from} imports ${to}: lib/client is for users of the API alone.`;
  return `${from} imports ${to}: lib/client is published without anything else, and runs in more than Node.js.`;
}

const panel = 'lib/panel/';
/** Their index modules import all of their components, and bundlers keep them. */
const wholePackages = ['react-aria', 'react-aria-components', 'react-stately'];

/**
 * Modules that the panel shares with the service, such as the matcher of comments, the types of files, and the platforms'
 * counts and limits. These modules import nothing but each other and packages that browsers can run, so pages stay small.
 */
const browserModules = [
  /^lib\/automations\/limits\.ts$/,
  /^lib\/automations\/matching\/[\w-]+\.ts$/,
  /^lib\/kernel\/(edit-distance|normalize-text|unspaced-scripts)\.ts$/,
  /^lib\/links\/(address-end|codes|destination-url|text)\.ts$/,
  /^lib\/media\/(types|urls|renditions\/crop)\.ts$/,
  /^lib\/people\/return-to\.ts$/,
  /^lib\/snippets\/variables\.ts$/,
  /^lib\/platforms\/\w+\/limits\.ts$/,
  /^lib\/platforms\/shared\/text\.ts$/,
  /^lib\/platforms\/threads\/text\.ts$/,
  /^lib\/platforms\/linkedin\/little-text\.ts$/,
];
const isForBrowsers = (file: string) => browserModules.some((pattern) => pattern.test(file));

/** The panel runs in the browser: a schema from elsewhere in `lib`, and what it imports, would come to every person. */
function brokenByPanel({ from, to, isType }: Import): string | undefined {
  if (isForBrowsers(from) && !isType && !isForBrowsers(to))
    return `${from} imports ${to}: the panel uses ${from} in the browser. Keep it free of other modules.`;
  if (!from.startsWith(panel)) {
    if (!to.startsWith(panel)) return undefined;
    return `${from} imports ${to}: only the site's build reads the panel. Move the shared part into a lower folder of lib.`;
  }
  if (to.startsWith('node:')) return `${from} imports ${to}: browsers do not have it.`;
  if (wholePackages.includes(to))
    return `${from} imports ${to}: import the component from its own module, such as ${to}/Button.`;
  if (!isType && to.startsWith('lib/') && !to.startsWith(panel) && !isForBrowsers(to))
    return `${from} imports ${to}: import only its types, or let the API return the value.`;
  return undefined;
}

function brokenByAws(from: string, to: string): string[] {
  const isOurs = from.startsWith('lib/') || from.startsWith('functions/');
  if (!isOurs || awsSdkFolders.some((folder) => from.startsWith(folder))) return [];
  return [`${from} imports ${to}: use the helpers of lib/table or lib/aws, or add one there.`];
}

function opensClients({ from, to, isType }: Import): boolean {
  if (isType || !from.startsWith('functions/') || from.startsWith('functions/wire/')) return false;
  return to.startsWith('lib/aws/') || to === 'lib/table/table.ts';
}

function brokenLayer({ from, to, isType }: Import): string[] {
  const own = folderOf(from);
  const other = folderOf(to);
  if (own === other) return brokenInnerLayer(own, from, to);
  const missing = [own, other].find((folder) => layerOf(folder) < 0);
  if (missing !== undefined) return [`lib/${missing} is in no layer: add it to test/architecture/layers.ts.`];
  if (layerOf(other) < layerOf(own)) return [];
  if (isType && allowedTypeImports.some((allowed) => allowed.from === from && allowed.to === to)) return [];
  return [
    `${from} imports ${to}: ${other} is not below ${own}. Take what you need as an argument (as media/retention does with usage.ts), or move the shared part into a lower folder.`,
  ];
}

/** @param folder the folder of lib that has both files */
function brokenInnerLayer(folder: string, from: string, to: string): string[] {
  const inner = innerLayers[folder];
  if (!inner) return [];
  const [own, other] = [from, to].map((file) => innerFolderOf(folder, file));
  if (own === undefined || other === undefined || own === other) return [];
  const missing = [own, other].find((each) => layerOf(each, inner) < 0);
  if (missing !== undefined)
    return [`lib/${folder}/${missing} is in no layer: add it to innerLayers in test/architecture/layers.ts.`];
  if (layerOf(other, inner) < layerOf(own, inner)) return [];
  const above = other === '.' ? `the files of lib/${folder} itself are` : `${other} is`;
  return [
    `${from} imports ${to}: ${above} not below ${own}. Move the shared part into a lower folder of lib/${folder}, or the importing code up.`,
  ];
}

/** Returns the first subfolder on the way to a file, or `.` for a file directly in the folder. */
function innerFolderOf(folder: string, file: string): string {
  const [first = '', ...rest] = file.slice(`lib/${folder}/`.length).split('/');
  return rest.length > 0 ? first : '.';
}

function fileCycles(imports: readonly Import[]): string[] {
  const ours = imports.filter(({ to }) => partOf(to) !== undefined);
  return cyclesIn(ours.map(({ from, to }) => [from, to] as const)).map(
    (files) => `These files import each other: ${files.join(', ')}. Move the shared part into its own file.`,
  );
}

function folderCycles(imports: readonly Import[]): string[] {
  const values = imports.filter(
    ({ from, to, isType }) => !isType && from.startsWith('lib/') && to.startsWith('lib/'),
  );
  const edges = values.map(({ from, to }) => [topFolderOf(from), topFolderOf(to)] as const);
  const within = values
    .filter(({ from, to }) => topFolderOf(from) === topFolderOf(to))
    .map(({ from, to }) => [subfolderOf(from), subfolderOf(to)] as const)
    // Files of a folder and of its subfolders may import each other if no two files do so mutually.
    .filter((pair) => !pair.includes(''));
  return cyclesIn([...edges, ...within].filter(([from, to]) => from !== to)).map(
    (folders) =>
      `These folders of lib import each other: ${folders.join(', ')}. Move the shared part into a folder below both.`,
  );
}

/** Returns the part of the repository that contains the path. The longest match wins. */
function partOf(path: string): string | undefined {
  return Object.keys(parts)
    .filter((part) => path.startsWith(`${part}/`))
    .sort((left, right) => right.length - left.length)[0];
}

/** Returns the folder in the layers' table that contains a file of lib, or its top folder if the table has none. */
function folderOf(file: string): string {
  const path = file.slice('lib/'.length);
  return (
    layers
      .flatMap(({ folders }) => folders)
      .find((folder) => path === folder || path.startsWith(`${folder}/`)) ?? topFolderOf(file)
  );
}

/** Such as `webhooks/endpoints`; empty for a file directly in the noun's folder. */
const subfolderOf = (file: string): string =>
  file
    .split('/')
    .slice(1, -1)
    .slice(0, 2)
    .join('/')
    .replace(/^[^/]*$/, '');

const topFolderOf = (file: string): string => file.split('/')[1] ?? '';

const layerOf = (folder: string, among: readonly Layer[] = layers): number =>
  among.findIndex(({ folders }) => folders.includes(folder));
