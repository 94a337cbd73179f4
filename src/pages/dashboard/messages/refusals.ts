/** Reasons why a form was refused. */
import {
  externalIdLength,
  keyDays,
  maxActiveKeys,
  nameLength,
  passwordSizes,
  sizeLimits,
} from '../../../limits/sizes.ts'
import { maxOfLimit } from '../../../limits/table.ts'
import { formats } from '../../../platform/web/language/format.ts'
import { filled, text } from '../../../platform/web/language/both-languages.ts'

export const refusals = {
  refusals: {
    rateLimited: filled((wait: string) => [
      `Se alcanzó un límite. Probá de nuevo en ${wait}.`,
      `You have reached a limit. Try again in ${wait}.`,
    ]),
    missing: filled((names: readonly string[]) => [
      `Todavía no se puede publicar. Falta: ${names.join(', ')}.`,
      `It cannot be published yet. Missing: ${names.join(', ')}.`,
    ]),
    changed: text(
      'La propiedad cambió mientras la mirabas. Revisala y probá de nuevo.',
      'The listing changed while you were looking at it. Check it and try again.',
    ),
    externalId: text(
      'Otra propiedad usa ahora su ID externo: elegí otro o ninguno.',
      'Another listing now has its external ID: choose another, or none.',
    ),
    photos: text(
      `Una propiedad puede tener hasta ${sizeLimits.photos_per_listing} fotos. Para agregar otra, antes quitá una.`,
      `A listing can have up to ${sizeLimits.photos_per_listing} photos. To add another, first remove one.`,
    ),
    invalid: text(
      'Este valor no es válido: corregilo y probá de nuevo.',
      'This value is not valid: correct it and try again.',
    ),
  },
  /** Fields that a listing lacks, if their label is not enough. */
  missing: {
    price: text('Precio (o «Consultar precio»)', 'Price (or “Price on request”)'),
    'price.period': text('Período del precio', 'Price period'),
  },
  reasons: {
    wrong_password: text('El correo o la contraseña son incorrectos.', 'Incorrect email or password.'),
    wrong_current: text('La contraseña actual es incorrecta.', 'Incorrect current password.'),
    wrong_code: text(
      'El código no es válido o ya se usó. Probá con el que muestra ahora la aplicación.',
      'This code is not valid or was already used. Try the one that the app shows now.',
    ),
    factor_there: text(
      'La verificación en dos pasos ya está activada.',
      'Two-step verification is already on.',
    ),
    password_short: text(
      `Usá al menos ${passwordSizes.min} caracteres.`,
      `Use at least ${passwordSizes.min} characters.`,
    ),
    password_long: text(
      `Usá ${passwordSizes.max} caracteres como máximo.`,
      `Use at most ${passwordSizes.max} characters.`,
    ),
    password_odd: text(
      'La contraseña tiene caracteres que no se pueden usar. Elegí otra.',
      'The password has characters that cannot be used. Choose another.',
    ),
    password_common: text(
      'Esa contraseña es fácil de adivinar. Evitá palabras comunes, fechas y teclas seguidas. Probá con cuatro palabras que no tengan relación entre sí.',
      'This password is easy to guess. Avoid common words, dates and keyboard patterns. Try four unrelated words.',
    ),
    password_names: text(
      'No uses tu nombre, tu correo ni el nombre de la inmobiliaria en la contraseña.',
      'Do not use your name, your email or the agency’s name in the password.',
    ),
    email_odd: text(
      'Escribí un correo válido, por ejemplo ana@inmobiliaria.com.',
      'Enter a valid email, such as ana@agency.com.',
    ),
    amount_odd: text(
      'Escribí un importe mayor que cero, por ejemplo 90.000 o 1.234,56.',
      'Enter an amount greater than zero, such as 90,000 or 1,234.56.',
    ),
    closing_apart: text(
      'Solo se usa con el motivo «Vendida» o «Alquilada»: borralo o cambiá el motivo.',
      'Only for the reasons “Sold” and “Rented”: clear it, or change the reason.',
    ),
    phone_odd: text(
      'Escribí el número con código de país, por ejemplo +54 11 5555-0142.',
      'Enter the number with its country code, such as +54 11 5555-0142.',
    ),
    website_odd: text(
      'Escribí una URL que empiece con https:// o http://.',
      'Enter a URL that starts with https:// or http://.',
    ),
    email_taken: text(
      'Ya hay una cuenta con ese correo: usá otro.',
      'An account with this email already exists. Use another email.',
    ),
    name_empty: text('Escribí un nombre.', 'Enter a name.'),
    name_long: text(`Usá ${nameLength} caracteres como máximo.`, `Use at most ${nameLength} characters.`),
    name_odd: text(
      'El nombre tiene caracteres que no se pueden mostrar: quitalos.',
      'The name has characters that cannot be shown. Remove them.',
    ),
    urls_none: text('Escribí al menos una URL.', 'Enter at least one URL.'),
    name_contact: text(
      'El nombre no puede contener una URL ni un correo.',
      'The name cannot contain a URL or an email.',
    ),
    slug_odd: text(
      'Usá solo minúsculas y números, separados por guiones simples.',
      'Use only lowercase letters and digits, separated by single hyphens.',
    ),
    slug_taken: text('Ya está en uso: elegí otro.', 'This name is taken. Choose another.'),
    last_owner: text(
      'Es la última persona con ese rol. Antes, dale el rol a otra.',
      'This is the last person with that role. Give the role to someone else first.',
    ),
    dead_link: text('El enlace ya no sirve: pedí otro.', 'This link no longer works. Request another.'),
    date_odd: text('Escribí una fecha válida.', 'Enter a valid date.'),
    date_past: text('La fecha ya pasó: elegí una futura.', 'This date is in the past. Choose a future one.'),
    date_beyond_leads: text(
      `Con permisos de consultas, la clave puede durar ${keyDays.leads} días como máximo. Elegí una fecha anterior.`,
      `A key with leads scopes can last ${keyDays.leads} days at most. Choose an earlier date.`,
    ),
    origins_of_writer: text(
      'Una clave de escritura es solo para servidores: no admite sitios. Quitalos, o elegí solo lectura.',
      'A key that can write is for servers only, so it takes no sites. Remove them, or choose read-only.',
    ),
    origin_odd: text(
      'Escribí https:// y el dominio, sin nada después.',
      'Enter https:// and the domain, nothing after it.',
    ),
    origins_many: text(
      `Podés indicar hasta ${sizeLimits.allowed_origins} sitios.`,
      `Enter ${sizeLimits.allowed_origins} sites at most.`,
    ),
    key_revoked: text('La clave está revocada. Creá otra.', 'This key is revoked. Create another.'),
    form_sent: text(
      'Este formulario ya se envió, y la clave se mostró en ese momento. Si la perdiste, revocala y creá otra.',
      'This form was already sent, and the key was shown then. If you lost the key, revoke it and create another.',
    ),
    external_id_odd: text(
      `Usá de 1 a ${externalIdLength} caracteres: letras sin acento, números, puntos, guiones, guiones bajos o dos puntos.`,
      `Use 1 to ${externalIdLength} characters: unaccented letters, digits, dots, hyphens, underscores or colons.`,
    ),
    origin_odd_test: text(
      'Escribí https:// y el dominio, o http://localhost:3000, sin nada después.',
      'Enter https:// and the domain, or http://localhost:3000; nothing after it.',
    ),
    origin_of_test_writer: text(
      'Una clave de prueba que escribe solo admite http://localhost y http://127.0.0.1, por ejemplo http://localhost:3000.',
      'A test key that writes takes only http://localhost and http://127.0.0.1, such as http://localhost:3000.',
    ),
    key_kind_missing: text(
      'Elegí si la clave es real o de prueba.',
      'Choose whether the key is live or a test key.',
    ),
    slug_reserved: text(
      'Los nombres que terminan en «-test» están reservados para los entornos de prueba.',
      'Names that end in “-test” are reserved for test environments.',
    ),
    slug_of_test: text(
      'Este es el entorno de prueba de una inmobiliaria. Elegí la inmobiliaria.',
      'This is an agency’s test environment. Choose the agency.',
    ),
    test_slug_taken: text(
      'No se puede crear el entorno de prueba: otra inmobiliaria ya usa su nombre en la URL. Consultalo con el operador.',
      'The test environment cannot be created: another agency has taken its name in URLs. Ask the operator.',
    ),
    limit_odd: text(
      `Escribí un número entero de 0 a ${formats.es.number(maxOfLimit)}.`,
      `Enter a whole number from 0 to ${formats.en.number(maxOfLimit)}.`,
    ),
    limits_none: text('Completá al menos un límite.', 'Fill in at least one limit.'),
    keys_many: text(
      `Puede haber hasta ${maxActiveKeys.new} claves en uso a la vez. Revocá una que ya no se use y volvé a intentarlo.`,
      `At most ${maxActiveKeys.new} keys can be active at a time. Revoke one that is no longer used, then try again.`,
    ),
    keys_replaced_many: text(
      'Todavía funcionan demasiadas claves reemplazadas. Revocá las claves que ya reemplazaste y volvé a intentarlo.',
      'Too many replaced keys are still active. Revoke keys that you have replaced, then try again.',
    ),
    text_long: text('Es demasiado largo: acortalo.', 'This is too long. Shorten it.'),
    text_odd: text(
      'Tiene caracteres que no se pueden mostrar: quitalos.',
      'This contains characters that cannot be shown. Remove them.',
    ),
    licence_half: text('Completá el número y el colegio.', 'Fill in both the number and the college.'),
    hours_odd: text(
      'Cada turno tiene que terminar después de empezar, y el segundo tiene que empezar cuando ya terminó el primero.',
      'Each period must end after it begins, and the second must begin after the first ends.',
    ),
    colour_odd: text('Elegí un color.', 'Choose a colour.'),
    latitude_odd: text(
      'Tiene que ser un número entre −90 y 90, como -34,6037.',
      'Use a number between −90 and 90, such as -34.6037.',
    ),
    longitude_odd: text(
      'Tiene que ser un número entre −180 y 180, como -58,3816.',
      'Use a number between −180 and 180, such as -58.3816.',
    ),
    coordinates_apart: text(
      'Escribí las dos coordenadas, o ninguna.',
      'Fill in both coordinates, or neither.',
    ),
    photo_none: text('Elegí una foto.', 'Choose a photo.'),
  },
}
