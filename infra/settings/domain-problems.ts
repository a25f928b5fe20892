import type { DomainSettings, StageSettings } from '../stages.ts';
import { certificateArnPattern } from './schema.ts';

/** A problem with a setting: its path inside the stage, and a clause that follows it. */
export type Problem = readonly [path: string, clause: string];

const domainNames = ['apiDomain', 'mediaDomain', 'linkDomain', 'panelDomain'] as const;
type DomainName = (typeof domainNames)[number];

/** The hosts that CloudFront serves. It accepts certificates from this Region alone, whatever the stage's Region is. */
const atCloudFront: readonly DomainName[] = ['mediaDomain', 'panelDomain'];
const cloudFrontRegion = 'us-east-1';

/** The maximum length of a name on a certificate. https://docs.aws.amazon.com/acm/latest/userguide/acm-limits.html */
const certificateNameCharacters = 64;

/** Returns the contradictions in the domains of a stage. Pure. */
export function domainProblems(stage: Partial<StageSettings>): readonly Problem[] {
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
