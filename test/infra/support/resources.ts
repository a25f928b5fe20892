/** All resources of a service, their names, and what is reserved for its functions. */
import { constructName, type TemplateResource, type Templates } from './synthesize.ts';

/**
 * Types of resources whose names are those of the account, not of the Region, and where a template has the name. Without one,
 * CloudFormation generates a unique name.
 */
export const globalNames: Readonly<Record<string, readonly string[]>> = {
  'AWS::Budgets::Budget': ['Budget', 'BudgetName'],
  'AWS::CloudFront::CachePolicy': ['CachePolicyConfig', 'Name'],
  'AWS::CloudFront::Function': ['Name'],
  'AWS::CloudFront::OriginAccessControl': ['OriginAccessControlConfig', 'Name'],
  'AWS::CloudFront::OriginRequestPolicy': ['OriginRequestPolicyConfig', 'Name'],
  'AWS::CloudFront::ResponseHeadersPolicy': ['ResponseHeadersPolicyConfig', 'Name'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName'],
  'AWS::IAM::Role': ['RoleName'],
  'AWS::S3::Bucket': ['BucketName'],
};
/** Resources of the same services that have no names of their own. */
export const nameless = ['AWS::CloudFront::Distribution', 'AWS::IAM::Policy', 'AWS::S3::BucketPolicy'];
export const isGlobal = (type: string) =>
  /^AWS::(Budgets|CloudFront|IAM|S3)::/.test(type) || type in globalNames;

export const all = ({ stacks }: Pick<Templates, 'stacks'>): readonly TemplateResource[] =>
  Object.values(stacks).flat();
export const nameOf = ({ Type, Properties }: TemplateResource): unknown =>
  globalNames[Type]?.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], Properties);

/** The functions with a reserve, and how many environments it has. */
export const reserves = ({ ofType }: Templates) =>
  ofType('AWS::Lambda::Function')
    .map((each) => [constructName(each), each.Properties.ReservedConcurrentExecutions] as const)
    .filter(([, reserved]) => reserved !== undefined);
