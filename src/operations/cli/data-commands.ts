/** The commands for the database as a whole: migrations, backups, engines, and the secrets in it. */
import { usualShardCount } from '../../platform/db/citus/distribution.ts'
import type { Command } from './command.ts'
import { group } from './group.ts'

export const dataCommands: readonly Command[] = [
  ...group('', () => import('./commands/migrations.ts'), {
    migrate: { summary: 'Applies pending migrations. Starts and commands that change something do so too.' },
  }),
  ...group('', () => import('./commands/backup.ts'), {
    backup: {
      summary: 'Makes a backup while the service runs: all rows as of one moment, and the pictures.',
      details:
        'One file, readable by its owner only. With S3_BUCKET the pictures stay in the bucket. Without --to, it makes the routine backup: to BACKUP_TO, verified, and deletes the oldest beyond BACKUP_KEEP. See docs/operations/backup.md.',
      options: {
        to: { value: 'DIR', help: 'the directory for the file, or s3://BUCKET/PREFIX' },
        'with-secret-key': { help: 'include the secret key: the file then gives access to all secrets' },
        verify: { help: 'restore it into a throw-away database, and count every row' },
      },
    },
  }),
  ...group('', () => import('./commands/restore.ts'), {
    restore: {
      summary: 'Restores a backup into an empty DATA_DIR or an empty database of DATABASE_URL.',
      details:
        'ARCHIVE is a file, or s3://BUCKET/KEY. After a failure, everything is as empty as before. See docs/operations/backup.md.',
      positionals: ['ARCHIVE'],
    },
  }),
  ...group('database', () => import('./commands/migrations.ts'), {
    adopt: {
      summary: 'Moves a database that a version before 1.0.0 made to the migrations of 1.0.0.',
      details:
        'Stop the service and make a backup first. Changes nothing if the schema would then differ from the one that the migrations make, and lists the differences. See docs/operations/upgrades.md.',
    },
    grant: {
      summary:
        'Lets a role read and write all rows, so that the service can run as a role that owns no tables.',
      details:
        'Run it as the owner of the tables. It covers the tables of later migrations too. See docs/operations.md, "A role of its own".',
      positionals: ['ROLE'],
    },
    distribute: {
      summary:
        'Spreads the tables of agencies over the nodes of Citus; on a distributed database, checks them.',
      details:
        'Stop the service first. It says what is missing before it changes anything, and can be started again if it was stopped. See docs/operations/distribute.md.',
      options: {
        shards: {
          value: 'N',
          range: [1, 1_024],
          help: `number of shards, the units that move between nodes; default: ${usualShardCount}`,
        },
      },
    },
  }),
  ...group('database', () => import('./commands/upgrade.ts'), {
    upgrade: {
      summary: 'Moves the embedded database to the major version of PostgreSQL that this version brings.',
      details:
        'Stop the service first. The old database is kept under another name. See docs/operations/upgrades.md.',
      options: {
        from: {
          value: 'DIR',
          required: true,
          help: 'the directory of the installation that ran before: it has the old PostgreSQL',
        },
      },
    },
  }),
  ...group('secrets', () => import('./commands/secrets.ts'), {
    rotate: {
      summary:
        'Encrypts all stored secrets with SECRET_KEY that are still encrypted with SECRET_KEY_PREVIOUS.',
      details:
        'The service may run meanwhile; every server and worker must have both keys. See docs/operations/secret-key.md.',
      options: {
        lost: {
          help: 'the key that encrypted them is lost: make those secrets anew that belong to the service itself',
        },
      },
    },
  }),
]
