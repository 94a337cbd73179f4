/** Texts that all pages share, the pages before signing in, and errors. */
import { linkSeconds, passwordSizes } from '../../../limits/sizes.ts'
import { formats } from '../../../platform/web/language/format.ts'
import { counted, filled, text } from '../../../platform/web/language/both-languages.ts'

type Words = readonly [title: string, text: string]

export const frame = {
  common: {
    email: text('Correo electrónico', 'Email'),
    password: text('Contraseña', 'Password'),
    passwordHint: text(
      `Al menos ${passwordSizes.min} caracteres. Una frase es fácil de recordar y difícil de adivinar.`,
      `At least ${passwordSizes.min} characters. A phrase is easy to remember and hard to guess.`,
    ),
    name: text('Nombre', 'Name'),
    erasedPerson: text('Persona eliminada', 'Erased person'),
    language: text('Idioma', 'Language'),
    status: text('Estado', 'Status'),
    lastUsed: text('Último uso', 'Last used'),
    never: text('Nunca', 'Never'),
    active: text('Activa', 'Active'),
    seeAll: text('Ver todas', 'View all'),
    created: text('Creada', 'Created'),
    listing: text('Propiedad', 'Listing'),
    key: text('Clave', 'Key'),
    at: text('Cuándo', 'When'),
    agency: text('Inmobiliaria', 'Agency'),
    result: text('Resultado', 'Result'),
    retry: text('Reintentar', 'Try again'),
    actions: text('Acciones', 'Actions'),
    save: text('Guardar', 'Save'),
    cancel: text('Cancelar', 'Cancel'),
    search: text('Buscar', 'Search'),
    previous: text('Anterior', 'Previous'),
    next: text('Siguiente', 'Next'),
    pages: text('Páginas', 'Pages'),
    page: filled((page: number) => [`Página ${page}`, `Page ${page}`]),
    copy: text('Copiar', 'Copy'),
    copied: text('Copiado', 'Copied'),
    filter: text('Filtrar', 'Filter'),
    clearFilters: text('Quitar filtros', 'Clear filters'),
    from: text('Desde', 'From'),
    to: text('Hasta', 'To'),
    csv: text('Descargar CSV', 'Download CSV'),
    csvNote: filled((max: string) => [
      `Hasta ${max} filas, las más recientes.`,
      `Up to ${max} rows, the latest.`,
    ]),
    yes: text('Sí', 'Yes'),
    no: text('No', 'No'),
    formWrong: counted(
      ['Hay un dato para corregir:', 'Hay # datos para corregir:'],
      ['There is one thing to correct:', 'There are # things to correct:'],
    ),
    agencyInactive: text(
      'La inmobiliaria está desactivada: sus claves no funcionan y su equipo no puede hacer cambios. El operador la puede reactivar.',
      'The agency is deactivated: its keys do not work, and its staff cannot change anything. The operator can activate it again.',
    ),
  },
  nav: {
    label: text('Secciones', 'Sections'),
    skip: text('Ir al contenido', 'Skip to content'),
    crumbs: text('Estás en', 'Breadcrumb'),
    overview: text('Inicio', 'Home'),
    listings: text('Propiedades', 'Listings'),
    keys: text('Claves', 'Keys'),
    usage: text('Uso', 'Usage'),
    test: text('Pruebas', 'Test'),
    people: text('Personas', 'People'),
    account: text('Mi cuenta', 'My account'),
    docs: text('Documentación', 'Documentation'),
    agencies: text('Inmobiliarias', 'Agencies'),
    notifications: text('Notificaciones', 'Notifications'),
    health: text('Estado del servicio', 'Health'),
    audit: text('Auditoría', 'Audit log'),
    operator: text('Consola del operador', 'Operator’s console'),
    accountMenu: text('Menú de la cuenta', 'Account menu'),
    signOut: text('Cerrar sesión', 'Sign out'),
    traffic: text('Tráfico', 'Traffic'),
    settings: text('Ajustes', 'Settings'),
  },
  roles: {
    owner: text('Titular', 'Owner'),
    member: text('Integrante', 'Member'),
    operator: text('Operador', 'Operator'),
  },
  entrance: {
    signIn: text('Iniciar sesión', 'Sign in'),
    signInText: text(
      'Las propiedades y las claves de tu inmobiliaria, en un solo lugar.',
      'Your agency’s listings and keys, in one place.',
    ),
    forgot: text('¿Olvidaste tu contraseña?', 'Forgot your password?'),
    tooManySignIns: filled((wait: string) => [
      `Demasiados intentos. Probá de nuevo en ${wait}. Para entrar ya, pedí un enlace en «¿Olvidaste tu contraseña?».`,
      `Too many attempts. Try again in ${wait}. To get in now, request a link under “Forgot your password?”.`,
    ]),
    tooManyLinks: filled((wait: string) => [
      `Ya se pidieron varios enlaces. Usá el último que te llegó por correo, o probá de nuevo en ${wait}.`,
      `Several links were already requested. Use the latest one in your inbox, or try again in ${wait}.`,
    ]),
    factorText: text(
      'Escribí el código de seis dígitos que muestra tu aplicación.',
      'Enter the six-digit code from your app.',
    ),
    code: text('Código', 'Code'),
    codeHint: text(
      'Si perdiste el teléfono, usá un código de recuperación.',
      'If you lost your phone, use a recovery code.',
    ),
    goOn: text('Continuar', 'Continue'),
    otherAccount: text('Entrar con otra cuenta', 'Use another account'),
    forgotTitle: text('Contraseña nueva', 'Reset your password'),
    forgotText: text(
      'Te enviamos un enlace para elegir una contraseña nueva.',
      'We’ll email you a link to choose a new password.',
    ),
    noMail: text(
      'Este servicio todavía no envía correos. Pedile un enlace a un titular de tu inmobiliaria o al operador.',
      'This service does not send email yet. Ask an owner of your agency or the operator for a link.',
    ),
    sendLink: text('Pedir un enlace', 'Send me a link'),
    back: text('Volver a iniciar sesión', 'Back to sign in'),
    sentTitle: text('Revisá tu correo', 'Check your email'),
    sentText: text(
      `Si hay una cuenta con ese correo, en unos minutos vas a recibir un enlace. Sirve una sola vez y vence en ${formats.es.wait(linkSeconds.reset)}.`,
      `If an account uses that email, a link will arrive in a few minutes. It works once and expires in ${formats.en.wait(linkSeconds.reset)}.`,
    ),
    welcome: text('Te damos la bienvenida', 'Welcome'),
    welcomeText: filled((email: string) => [
      `Elegí tu contraseña para entrar como ${email}.`,
      `Choose your password to sign in as ${email}.`,
    ]),
    newPassword: text('Elegí una contraseña nueva', 'Choose a new password'),
    newPasswordText: filled((email: string) => [
      `Para ${email}. Se van a cerrar las sesiones abiertas.`,
      `For ${email}. You will be signed out everywhere else.`,
    ]),
    yourName: text('Tu nombre', 'Your name'),
    save: text('Guardar y entrar', 'Save and sign in'),
    deadTitle: text('Este enlace ya no sirve', 'This link no longer works'),
    deadText: text(
      'Ya se usó, venció o lo reemplazó uno más nuevo. Podés pedir otro.',
      'It was already used, has expired, or was replaced by a newer one. You can request another.',
    ),
  },
  errors: {
    missing: text<Words>(
      ['Página no encontrada', 'La página no existe, o tu cuenta no tiene acceso.'],
      ['Page not found', 'The page does not exist, or your account cannot open it.'],
    ),
    owners: text<Words>(
      [
        'Solo para titulares',
        'Esta página es para los titulares de tu inmobiliaria. En «Mi cuenta» ves quiénes son.',
      ],
      ['For owners only', 'This page is for your agency’s owners. “My account” shows who they are.'],
    ),
    form: text<Words>(
      [
        'No pudimos aceptar el formulario',
        'El formulario venció o se envió desde otra página. Volvé, actualizá la página y probá de nuevo.',
      ],
      [
        'We could not accept the form',
        'The form expired or was sent from another page. Go back, reload the page and try again.',
      ],
    ),
    inactive: text<Words>(
      [
        'La inmobiliaria está desactivada',
        'Mientras esté desactivada no se pueden hacer cambios. El operador la puede reactivar.',
      ],
      ['The agency is deactivated', 'Nothing can be changed until the operator activates it again.'],
    ),
    limited: text<Words>(['Demasiados intentos', ''], ['Too many attempts', '']),
    refused: text<Words>(
      ['No se pudo completar', 'La solicitud no es válida. Volvé y probá de nuevo.'],
      ['That could not be done', 'The request is not valid. Go back and try again.'],
    ),
    busy: text<Words>(
      [
        'Hay mucha demanda',
        'Demasiadas personas están ingresando o cambiando su contraseña. Probá de nuevo en unos segundos.',
      ],
      [
        'Busy at the moment',
        'Too many people are signing in or changing a password. Try again in a few seconds.',
      ],
    ),
    unavailable: text<Words>(
      [
        'Volvemos enseguida',
        'El servicio no está disponible en este momento. Probá de nuevo en unos minutos.',
      ],
      ['We will be right back', 'The service is not available at the moment. Try again in a few minutes.'],
    ),
    broken: text<Words>(
      ['Algo salió mal', 'Fue un error nuestro. Si se repite, avisanos con el ID de abajo.'],
      ['Something went wrong', 'This was our fault. If it happens again, send us the ID below.'],
    ),
    requestId: text('ID de la solicitud:', 'Request ID:'),
    home: text('Ir al inicio', 'Go home'),
    large: text<Words>(
      ['El archivo es demasiado grande', 'Volvé y elegí uno más chico.'],
      ['The file is too large', 'Go back and choose a smaller one.'],
    ),
    slow: text<Words>(
      [
        'No terminó de subir',
        'La conexión era demasiado lenta o se cortó. Volvé y probá de nuevo con una mejor conexión o con un archivo más chico.',
      ],
      [
        'The upload did not finish',
        'The connection was too slow or was lost. Go back and try again with a better connection or a smaller file.',
      ],
    ),
  },
}
