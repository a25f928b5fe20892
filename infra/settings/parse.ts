import type * as z from 'zod';
import { fieldMessage } from '../../lib/kernel/field-message.ts';
import { nearestName } from '../../lib/kernel/nearest-name.ts';
import {
  type DomainSettings,
  leastUnreserved,
  type OwnSettings,
  type StageName,
  type StageSettings,
  stages,
} from '../stages.ts';
import {
  certificateArnPattern,
  keyArnPattern,
  SettingsFile,
  streamArnPattern,
  webAclArnPattern,
} from './schema.ts';

/** A problem with a setting: its path inside the stage, and a clause that follows it. */
type Problem = readonly [path: string, clause: string];

/**
 * Reads the text of a settings file. Pure.
 *
 * @param fileName begins each message
 * @throws Error with one line for each problem, which names the field
 */
export function parseSettings(text: string, fileName: string): OwnSettings {
  const value = parseJson(text, fileName);
  const { success, data, error } = SettingsFile.safeParse(value, { error: fieldMessage, reportInput: true });
  const invalid = (error?.issues ?? []).flatMap(problemsOf);
  // Only settings that match the schema are checked for contradictions.
  const contradictions = success
    ? Object.entries(data.stages).flatMap(([stage, settings]) =>
        contradictionsIn(settings as Partial<StageSettings>, stage as StageName).map(
          ([path, clause]): Problem => [`stages.${stage}.${path}`, clause],
        ),
      )
    : [];
  const problems = [...invalid, ...contradictions];
  if (!success || problems.length > 0)
    throw new Error(problems.map(([path, clause]) => `${fileName}: ${path || 'it'} ${clause}`).join('\n'));
  return data.stages as OwnSettings;
}

function parseJson(text: string, fileName: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${fileName}: is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const { code, path, message } = issue;
  if (code !== 'unrecognized_keys') return [[path.join('.'), message]];
  const known = namesAt(path);
  return issue.keys.map((key): Problem => {
    const nearest = nearestName(key, known);
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    return [[...path, key].join('.'), `is not a setting${hint}`];
  });
}

/** Returns the names of the fields at a path of the file. */
function namesAt(path: readonly PropertyKey[]): string[] {
  let schema: z.core.$ZodType | undefined = SettingsFile;
  for (const step of path) schema = fieldsOf(schema)[String(step)];
  return Object.keys(fieldsOf(schema));
}

function fieldsOf(schema: z.core.$ZodType | undefined): Readonly<Record<string, z.core.$ZodType>> {
  const def = (schema as z.core.$ZodTypes | undefined)?._zod.def;
  if (def?.type === 'optional') return fieldsOf(def.innerType);
  return def?.type === 'object' ? def.shape : {};
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

function contradictionsIn(stage: Partial<StageSettings>, name: StageName): readonly Problem[] {
  const hasMailWithoutRegion =
    stage.mail !== undefined && stage.mail.region === undefined && stage.region === undefined;
  const reserved = sumOf(Object.values(stage.reservedConcurrency ?? {}));
  const concurrency = stage.accountConcurrency ?? stages[name].accountConcurrency;
  return [
    ...domainProblems(stage),
    ...recoveryProblems(stage),
    ...webAclProblems(stage),
    ...(stage.publishConcurrency !== undefined && stage.publishConcurrency >= concurrency
      ? ([['publishConcurrency', `must be less than the ${concurrency} of accountConcurrency`]] as const)
      : []),
    ...(reserved > 0 && concurrency - reserved < leastUnreserved
      ? ([
          [
            'reservedConcurrency',
            `must leave at least ${leastUnreserved} of the ${concurrency} of accountConcurrency to all other functions`,
          ],
        ] as const)
      : []),
    ...(hasMailWithoutRegion
      ? ([['mail.region', 'is required, because the stage has no region either']] as const)
      : []),
    ...(stage.mail !== undefined && stage.signIn === 'own'
      ? ([['mail', 'has no effect with signIn: own, whose identity provider sends its own mail']] as const)
      : []),
  ];
}

function webAclProblems({ account, webAcls = {} }: Partial<StageSettings>): readonly Problem[] {
  return Object.entries(webAcls).flatMap(([name, arn]) => {
    const [, ofAccount] = webAclArnPattern.exec(arn) ?? [];
    const isForeign = account !== undefined && ofAccount !== account;
    return isForeign
      ? [[`webAcls.${name}`, `must be of the account ${account}, that of the stage`] as const]
      : [];
  });
}

/** Returns the contradictions in a stage's copies to another Region, and in its settings after a restore. */
function recoveryProblems(stage: Partial<StageSettings>): readonly Problem[] {
  const { region, backupRegion, restoredTable, restoredTokenKeyArn } = stage;
  const [, ofStream, , tableOfStream] = streamArnPattern.exec(restoredTable?.streamArn ?? '') ?? [];
  const [, ofKey] = keyArnPattern.exec(restoredTokenKeyArn ?? '') ?? [];
  const isElsewhere = (other: string | undefined) =>
    region !== undefined && other !== undefined && other !== region;
  return [
    ...(backupRegion !== undefined && backupRegion === region
      ? ([['backupRegion', 'must be another Region than region']] as const)
      : []),
    ...(restoredTable !== undefined && tableOfStream !== restoredTable.tableName
      ? ([
          [
            'restoredTable.streamArn',
            `must be of the table ${restoredTable.tableName}, not ${tableOfStream}`,
          ],
        ] as const)
      : []),
    ...(isElsewhere(ofStream)
      ? ([['restoredTable.streamArn', `must be of ${region}, the Region of the stage`]] as const)
      : []),
    ...(isElsewhere(ofKey)
      ? ([
          [
            'restoredTokenKeyArn',
            `must be of ${region}, the Region of the stage: there is a replica of the key`,
          ],
        ] as const)
      : []),
  ];
}

const domainNames = ['apiDomain', 'mediaDomain', 'linkDomain', 'panelDomain'] as const;
type DomainName = (typeof domainNames)[number];

/** The hosts that CloudFront serves. It accepts certificates from this Region alone, whatever the stage's Region is. */
const atCloudFront: readonly DomainName[] = ['mediaDomain', 'panelDomain'];
const cloudFrontRegion = 'us-east-1';

/** The maximum length of a name on a certificate. https://docs.aws.amazon.com/acm/latest/userguide/acm-limits.html */
const certificateNameCharacters = 64;

/** Returns the contradictions in the domains of a stage. Pure. */
function domainProblems(stage: Partial<StageSettings>): readonly Problem[] {
  const given = domainNames.flatMap((field) => {
    const domain = stage[field];
    return domain === undefined ? [] : [{ field, domain }];
  });
  return given.flatMap(({ field, domain }, index) => {
    const same = given.slice(0, index).find((other) => other.domain.name === domain.name);
    return [
      ...(same
        ? ([[`${field}.name`, `is that of ${same.field}: each host needs a name of its own`]] as const)
        : []),
      ...certificateProblems(field, domain, stage),
      ...zoneProblems(field, domain),
    ];
  });
}

function certificateProblems(
  field: DomainName,
  { name, certificateArn, hostedZone }: DomainSettings,
  { region, account }: Partial<StageSettings>,
): readonly Problem[] {
  const path = `${field}.certificateArn`;
  const isAtCloudFront = atCloudFront.includes(field);
  if (certificateArn !== undefined) {
    const [, ofRegion, ofAccount] = certificateArnPattern.exec(certificateArn) ?? [];
    const expected = isAtCloudFront ? cloudFrontRegion : region;
    return [
      ...(expected !== undefined && ofRegion !== expected
        ? ([
            [
              path,
              `must be of ${expected}, ${isAtCloudFront ? 'for CloudFront' : 'the Region of the stage'}`,
            ],
          ] as const)
        : []),
      ...(account !== undefined && ofAccount !== account
        ? ([[path, `must be of the account ${account}, that of the stage`]] as const)
        : []),
    ];
  }
  if (hostedZone === undefined) return [[path, 'is required, unless hostedZone is given']];
  if (isAtCloudFront && region !== cloudFrontRegion)
    return [
      [
        path,
        `is required: CloudFront takes certificates only from ${cloudFrontRegion}, and the stage creates them in its own Region (region: ${region ?? 'not set'})`,
      ],
    ];
  return name.length > certificateNameCharacters
    ? [[`${field}.name`, `must have at most ${certificateNameCharacters} characters, or a certificateArn`]]
    : [];
}

function zoneProblems(field: DomainName, { name, hostedZone }: DomainSettings): readonly Problem[] {
  if (hostedZone === undefined || name === hostedZone.name || name.endsWith(`.${hostedZone.name}`)) return [];
  return [[`${field}.hostedZone.name`, `must be ${name} or a domain above it, not ${hostedZone.name}`]];
}
