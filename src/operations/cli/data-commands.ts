/** The commands for the database as a whole: migrations, backups, engines, and the secrets in it. */
import { usualShardCount } from '../../platform/db/citus/distribution.ts'
import type { Command } from './command.ts'
import { group } from './group.ts'

export const dataCommands: readonly Command[] = [
  ...group('', () => import('./commands/migrations.ts'), {
    migrate: {
      summary: 'Applies pending migrations, as every start and every command that changes something does.',
    },
  }),
  ...group('', () => import('./commands/backup.ts'), {
    backup: {
      summary: 'Makes a backup while the service runs: all rows as of one moment, and the pictures.',
      details:
        'Writes one file that only its owner can read. With S3_BUCKET, the pictures stay in the bucket. Without --to, makes the routine backup: writes it to BACKUP_TO, verifies it, and deletes the oldest beyond BACKUP_KEEP. See docs/operations/backup.md.',
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
        'ARCHIVE is a file, or s3://BUCKET/KEY. A failed restore leaves nothing behind. See docs/operations/backup.md.',
      positionals: ['ARCHIVE'],
    },
  }),
  ...group('database', () => import('./commands/migrations.ts'), {
    adopt: {
      summary: 'Moves a database that a version before 1.0.0 made to the migrations of 1.0.0.',
      details:
        'Stop the service and make a backup first. If the schema would then differ from that of the migrations, it changes nothing and lists the differences. See docs/operations/upgrades.md.',
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
        'Stop the service first. It lists what is missing before it changes anything. After an interruption, run it again. See docs/operations/distribute.md.',
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
      summary: 'Moves the embedded database to the major version of PostgreSQL that this version includes.',
      details:
        'Stop the service first. The old database is kept under another name. See docs/operations/upgrades.md.',
      options: {
        from: {
          value: 'DIR',
          required: true,
          help: 'the directory of the previous installation, which has the old PostgreSQL',
        },
      },
    },
  }),
  ...group('secrets', () => import('./commands/secrets.ts'), {
    rotate: {
      summary:
        'Encrypts all stored secrets with SECRET_KEY that are still encrypted with SECRET_KEY_PREVIOUS.',
      details:
        'The service can keep running, if every server and worker has both keys. See docs/operations/secret-key.md.',
      options: {
        lost: {
          help: 'the key that encrypted them is lost: replace the secrets that belong to the service itself',
        },
      },
    },
  }),
]
