import { CfnOutput } from 'aws-cdk-lib';
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AaaaRecord,
  ARecord,
  HostedZone,
  type IAliasRecordTarget,
  type IHostedZone,
  RecordTarget,
} from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { DomainSettings } from '../stages.ts';

/**
 * One of the team's own host names: its certificate, and the DNS records that lead to its target. Only records in Route 53 are
 * resources; any other DNS is changed by hand, and an output says how.
 */
export class Domain extends Construct {
  readonly name: string;
  readonly certificate: ICertificate;
  /** The certificate, if the stack creates it. */
  readonly created: Certificate | undefined;
  private readonly zone: IHostedZone | undefined;

  /** @param settings checked by `infra/settings/parse.ts`: a domain without a certificate has a hosted zone */
  constructor(scope: Construct, id: string, settings: DomainSettings) {
    super(scope, id);
    const { name, certificateArn, hostedZone } = settings;
    this.name = name;
    this.zone =
      hostedZone &&
      HostedZone.fromHostedZoneAttributes(this, 'Zone', {
        hostedZoneId: hostedZone.id,
        zoneName: hostedZone.name,
      });
    this.created =
      certificateArn === undefined
        ? new Certificate(this, 'Certificate', {
            domainName: name,
            validation: CertificateValidation.fromDns(this.zone),
          })
        : undefined;
    this.certificate =
      this.created ?? Certificate.fromCertificateArn(this, 'Certificate', certificateArn ?? '');
  }

  /**
   * Creates the records that lead to a target, or the output for other DNS.
   *
   * @param host the name that AWS gives the target
   */
  leadTo(target: IAliasRecordTarget, host: string): void {
    if (this.zone === undefined) {
      new CfnOutput(this, 'Record', {
        value: `${this.name} CNAME ${host}`,
        description: 'Set this record in your DNS; at the top of a zone, an ALIAS or ANAME record',
      });
      return;
    }
    const record = { zone: this.zone, recordName: `${this.name}.`, target: RecordTarget.fromAlias(target) };
    new ARecord(this, 'A', record);
    new AaaaRecord(this, 'AAAA', record);
  }
}
