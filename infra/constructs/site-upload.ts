import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import type { Construct } from 'constructs';
import { cacheControlOf, pageName } from '../site.ts';
import type { Stage } from '../stages.ts';
import { acknowledgeWildcards } from './acknowledge-wildcards.ts';
import type { Right } from './rights.ts';

/**
 * Puts the built site into its bucket at each deployment: first the files with a hash in their names, then the page that refers
 * to them. Files of earlier deployments stay, so that open pages can still load theirs.
 *
 * @param directory the folder of the built site
 */
export function uploadSite(scope: Construct, bucket: IBucket, directory: string, stage: Stage): void {
  const assets = new Asset(scope, 'Assets', { path: directory, exclude: [pageName] });
  const page = new Asset(scope, 'Page', { path: directory, exclude: ['*', `!${pageName}`] });
  const logGroup = new LogGroup(scope, 'UploadLog', {
    retention: stage.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = createUploader(scope, bucket, [assets, page], logGroup);
  const upload = (id: string, asset: Asset, file: string) =>
    new BucketDeployment(scope, id, {
      sources: [Source.bucket(asset.bucket, asset.s3ObjectKey)],
      destinationBucket: bucket,
      cacheControl: [CacheControl.fromString(cacheControlOf(file))],
      prune: false,
      // The role has its rights already.
      role: role.withoutPolicyUpdates(),
      logGroup,
      memoryLimit: 512,
      outputObjectKeys: false,
    });
  const first = upload('UploadAssets', assets, 'assets');
  upload('UploadPage', page, pageName).node.addDependency(first);
  acknowledgeRuntime(Stack.of(scope));
}

function acknowledgeRuntime(stack: Stack): void {
  const uploader = stack.node.children.find(({ node }) => node.id.startsWith('Custom::CDKBucketDeployment'));
  if (uploader === undefined) throw new Error('CDK names the function that uploads sites in another way');
  Validations.of(uploader).acknowledge({
    id: 'AwsSolutions-L1',
    reason: 'It is CDK’s own function, with the runtime that CDK chooses. It runs only during deployments.',
  });
}

/** Creates the role of CDK's function that unpacks the assets. By default, CDK would let it change and list far more. */
function createUploader(
  scope: Construct,
  bucket: IBucket,
  assets: readonly Asset[],
  logGroup: LogGroup,
): Role {
  const rights: readonly Right[] = [
    { actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] },
    {
      actions: ['s3:GetObject'],
      resources: assets.map((asset) => asset.bucket.arnForObjects(asset.s3ObjectKey)),
    },
    { actions: ['s3:ListBucket'], resources: [bucket.bucketArn] },
    {
      actions: ['s3:PutObject'],
      resources: [bucket.arnForObjects('*')],
      wildcardBecause: 'The names of the site’s files contain hashes of their contents.',
    },
  ];
  const role = new Role(scope, 'Uploader', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      rights: new PolicyDocument({
        statements: rights.map(
          ({ actions, resources }) =>
            new PolicyStatement({ actions: [...actions], resources: [...resources] }),
        ),
      }),
    },
  });
  acknowledgeWildcards(role, rights);
  return role;
}
